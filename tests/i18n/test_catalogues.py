"""The catalogues: complete in every language, in the words of the editions, warm and plain."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from string import Formatter

import pytest

from flipdeck import i18n
from flipdeck.core import editions
from flipdeck.core.cards import Color, Side, full_deck
from flipdeck.core.errors import SENTENCES, BadRecord, IllegalMove, Refusal
from flipdeck.core.events import What
from flipdeck.core.match import Match
from flipdeck.core.options import Options
from flipdeck.i18n import LANGUAGES, catalogue, language_named, language_of_environment
from flipdeck.i18n.happenings import together
from tests.random_matches import random_table, say_something

SPANISH = ("es", "es-AR")
FOLDER = Path(i18n.__file__).parent


def placeholders(template: str) -> set[str]:
    """What a sentence is given, with or without its article."""
    names = {name.removeprefix("a_") for _, name, _, _ in Formatter().parse(template) if name}
    return names - {"n"}  # "a card" says the number one without a digit


def without_refusals(language: str) -> dict[str, str]:
    entries = catalogue(language).entries
    return {key: text for key, text in entries.items() if not key.startswith(("refusal.", "article.", "side."))}


# ---------------------------------------------------------------- complete
@pytest.mark.parametrize("language", SPANISH)
def test_a_language_says_all_that_english_says(language: str) -> None:
    assert without_refusals(language).keys() == without_refusals("en").keys()


@pytest.mark.parametrize("language", SPANISH)
def test_a_sentence_tells_the_same_facts_in_every_language(language: str) -> None:
    english, other = without_refusals("en"), without_refusals(language)
    differing = {key for key in english if placeholders(english[key]) != placeholders(other[key])}
    assert differing == set()


@pytest.mark.parametrize("language", SPANISH)
def test_every_refusal_is_translated_with_its_facts(language: str) -> None:
    entries = catalogue(language).entries
    translated = {key.removeprefix("refusal."): text for key, text in entries.items() if key.startswith("refusal.")}
    assert translated.keys() == SENTENCES.keys()
    for reason, sentence in SENTENCES.items():
        assert {(n, c) for _, n, _, c in Formatter().parse(sentence) if n} == {
            (n, c) for _, n, _, c in Formatter().parse(translated[reason]) if n
        }, reason


EVENTS: dict[What, dict[str, object]] = {
    What.DEALER_CARD: {"seat": 0, "card": "R7/?"},
    What.DEALER_CHOSEN: {"seat": 0},
    What.DEALT: {"seat": 0, "cards": ["R7/O1", "W/P5"]},
    What.TURNED_UP: {"seat": 0, "card": "R7/O1"},
    What.RETURNED: {"seat": 0, "card": "W+2/O1"},
    What.PLAYED: {"seat": 0, "card": "R7/O1"},
    What.JUMPED_IN: {"seat": 0},
    What.CALLED_COLOR: {"seat": 0, "color": "G"},
    What.DREW: {"seat": 0, "card": "R7/O1"},
    What.REVEALED: {"seat": 0, "card": "R7/O1"},
    What.KEPT: {"seat": 0},
    What.PASSED: {"seat": 0},
    What.SKIPPED: {"seat": 0},
    What.REVERSED: {"seat": 0, "direction": -1},
    What.FLIPPED: {"seat": 0, "card": "R7/O1"},
    What.RESHUFFLED: {},
    What.SAID_UNO: {"seat": 0},
    What.CAUGHT: {"seat": 0, "by": 1},
    What.CAUGHT_IN_VAIN: {"seat": 0, "by": 1},
    What.ACCEPTED: {"seat": 0},
    What.CHALLENGED: {"seat": 0, "by": 1, "cards": ["R7/O1"]},
    What.FOUND_GUILTY: {"seat": 0, "by": 1},
    What.FOUND_INNOCENT: {"seat": 0, "by": 1},
    What.WENT_OUT: {"seat": 0},
    What.ROUND_VOID: {},
    What.LAID_OPEN: {"seat": 0, "cards": ["R7/O1", "W/P5"]},
    What.SCORED: {"points": [40, 0], "scores": [1240, 3]},
    What.WON: {"winners": [0]},
}
NOBODYS = {What.TURNED_UP, What.RETURNED, What.REVERSED, What.RESHUFFLED, What.ROUND_VOID}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("what", What)
def test_every_event_has_a_sentence_for_whoever_listens(what: What, language: str) -> None:
    words = catalogue(language)
    event = {"event": what.value, "side": "light", **EVENTS[what]}
    told = [words.event(event, you, ["Ana", "Beto", "Cleo"]) for you in (0, 1, 2, None)]
    for sentence in told:
        assert re.fullmatch(r"[A-ZÁÉÍÓÚ0-9¡].*(\.|UNO!)", sentence), sentence
        assert "{" not in sentence
    assert "Ana" not in told[0], "whoever did it is you, not a name"
    assert told[2].replace("Cleo", "") == told[3] or what not in NOBODYS
    if what not in NOBODYS:
        assert told[0] != told[3], "the player it is about is spoken to"


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_happens_at_random_tables_can_be_told_to_everybody(language: str) -> None:
    dice = Random(11)
    for _ in range(10):
        match = random_table(dice).match()
        words = catalogue(language, match.edition.name)
        for _ in range(60):
            if match.round.over:
                break
            say_something(match, dice)
        seats: list[int | None] = [None, *range(match.players)]
        for events in (match.history[0].dealt, *(said.events for said in match.history[0].said)):
            for you in seats:
                seen = together(event.to_dict() for event in match.seen(events, you))
                assert all(words.event(event, you) for event in seen)


# ---------------------------------------------------------------- names of things
@pytest.mark.parametrize(
    ("language", "edition", "names"),
    [
        ("en", "classic", "Light, Dark, pink, teal, orange, purple, Wild Draw Two, draw pile, discard pile"),
        ("en", "mild-wild", "Mild, Wild, pink, teal, orange, purple, Wild Draw Two, draw pile, discard pile"),
        (
            "es",
            "classic",
            (
                "lado claro, lado oscuro, rosa, verde azulado, anaranjado, morado, Comodín Toma 2, "
                "pila para tomar, pila para tirar"
            ),
        ),
        (
            "es-AR",
            "argentina",
            "lado claro, lado oscuro, fucsia, turquesa, naranja, violeta, Comodín Toma dos, mazo, pila de descarte",
        ),
    ],
)
def test_sides_colors_and_piles_have_the_words_of_their_country(language: str, edition: str, names: str) -> None:
    words = catalogue(language, edition)
    told = [words.side("light"), words.side("dark"), *map(words.color, "PTOV"), words.face("W+2")]
    assert ", ".join([*told, words.text("pile.draw"), words.text("pile.discard")]) == names


@pytest.mark.parametrize(
    ("language", "names"),
    [
        (
            "en",
            "red 7, yellow Draw One, green Reverse, blue Skip, red Flip, Wild, pink Draw Five, orange Skip Everyone",
        ),
        (
            "es",
            (
                "7 rojo, Toma una en amarillo, Reversa en verde, Salta en azul, Flip en rojo, Comodín multicolor, "
                "Toma cinco en rosa, Salta a todos en anaranjado"
            ),
        ),
        (
            "es-AR",
            (
                "7 rojo, Toma una en amarillo, Reversa en verde, Salta en azul, Flip en rojo, Comodín multicolor, "
                "Toma cinco en fucsia, Salta a todos en naranja"
            ),
        ),
    ],
)
def test_faces_are_named_as_the_sheets_name_them(language: str, names: str) -> None:
    words = catalogue(language)
    assert ", ".join(map(words.face, ["R7", "Y+1", "GR", "BS", "RF", "W", "P+5", "OE"])) == names


@pytest.mark.parametrize("language", SPANISH)
def test_action_cards_are_feminine_and_wilds_masculine_as_on_the_sheets(language: str) -> None:
    words = catalogue(language)
    for face in ("Y+1", "P+5", "GR", "BS", "OE", "RF"):
        assert words.a_face(face).startswith("una ")
    for face in ("R7", "W", "W+2", "W+C"):
        assert words.a_face(face).startswith("un ")


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("es*.toml")), ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_no_sentence_in_spanish_says_otherwise(path: Path) -> None:
    text = " ".join(path.read_text(encoding="utf-8").split())
    assert not re.search(r"\b(un|el|otro|del|al) (Flip|Toma|Salta|Reversa)\b", text, re.IGNORECASE)
    assert not re.search(r"mezcl", text, re.IGNORECASE), "cards are shuffled: barajar"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_face_of_every_deck_has_a_name_of_its_own(language: str) -> None:
    words = catalogue(language)
    for side in Side:
        faces = [str(face) for face in full_deck(side, 112)]
        assert len({words.face(face) for face in faces}) == len(faces) == 54
        assert all(words.a_face(face).endswith(words.face(face)) for face in faces)
    assert len({words.color(color.value) for color in Color}) == 8


def test_a_card_shows_the_side_in_play_first() -> None:
    words = catalogue("en")
    assert words.card("R7/O1") == "red 7 (orange 1)"
    assert words.card("R7/O1", "dark") == "orange 1 (red 7)"
    assert words.card("R7/?") == "red 7"
    assert words.card("R7/?", "dark") == "a hidden card"
    assert catalogue("es").card("GR/O1", article=True) == "una Reversa en verde (1 anaranjado)"


def test_one_card_is_singular_and_others_are_plural() -> None:
    assert [catalogue("en").text("count.cards", n=n) for n in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    assert [catalogue("es").text("count.cards", n=n) for n in (1, 2)] == ["1 carta", "2 cartas"]


def test_numbers_are_written_as_the_country_writes_them() -> None:
    assert [catalogue(language).number(1234567) for language in LANGUAGES] == ["1,234,567", "1,234,567", "1.234.567"]


def test_cards_drawn_together_are_told_together() -> None:
    drawn = [{"event": "drew", "side": "light", "seat": 1, "card": card} for card in ("R7/O1", "W/P5")]
    hidden = [{"event": "drew", "side": "light", "seat": 1, "card": card} for card in ("?/O1", "?/P5")]
    words = catalogue("en")
    assert [words.event(event, 1) for event in together(drawn)] == ["You drew red 7 (orange 1) and Wild (pink 5)."]
    assert [words.event(event, 0) for event in together(hidden)] == ["Seat 1 drew 2 cards."]
    assert [words.event(event, 0) for event in together(hidden[:1])] == ["Seat 1 drew a card."]


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ["You drew red 7 (orange 1) and kept it.", "Ana drew a card and kept it."]),
        ("es", ["Tomaste un 7 rojo (1 anaranjado) y te quedaste con la carta.", "Ana tomó una carta y se la quedó."]),
        ("es-AR", ["Tomaste un 7 rojo (1 naranja) y te quedaste con la carta.", "Ana tomó una carta y se la quedó."]),
    ],
)
def test_a_card_that_is_drawn_and_kept_is_told_in_one_sentence(language: str, told: list[str]) -> None:
    words, kept = catalogue(language), {"event": "kept", "side": "light", "seat": 0}
    seen = [{"event": "drew", "side": "light", "seat": 0, "card": card} for card in ("R7/O1", "?/O1")]
    mine, others = (together([drew, kept]) for drew in seen)
    assert [words.event(event, 0, ["Ana"]) for event in mine] == told[:1]
    assert [words.event(event, 1, ["Ana"]) for event in others] == told[1:]


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_that_are_drawn_and_kept_are_told_together(language: str) -> None:
    drew = [{"event": "drew", "side": "light", "seat": 0, "card": card} for card in ("?/O1", "?/P5")]
    (kept,) = together([*drew, {"event": "kept", "side": "light", "seat": 0}])
    assert " 2 " in catalogue(language).event(kept, 1)


def test_what_somebody_else_keeps_is_no_part_of_a_draw() -> None:
    drew = {"event": "drew", "side": "light", "seat": 0, "card": "?/O1"}
    apart = together([drew, {"event": "kept", "side": "light", "seat": 1}])
    assert [event["event"] for event in apart] == ["drew", "kept"]


# ---------------------------------------------------------------- refusals
def test_a_refusal_speaks_the_language() -> None:
    refusal = IllegalMove("color-needed", card="W/P5", side="light", color="R")
    said = [catalogue(language).refusal(refusal.reason, refusal.facts, str(refusal)) for language in LANGUAGES]
    assert said == [
        "W/P5 is a wild: call a color of the light side with it, like W/P5=R.",
        "W/P5 es un comodín: elige con él un color del lado claro, como W/P5=R.",
        "W/P5 es un comodín: elegí con él un color del lado claro, como W/P5=R.",
    ]


def test_the_choices_of_an_option_are_joined_in_the_language() -> None:
    with pytest.raises(Refusal) as caught:
        Options().changed({"own_backs": "x"})
    refusal = caught.value
    said = catalogue("es").refusal(refusal.reason, refusal.facts, str(refusal))
    assert said == "own_backs no puede ser 'x'; elige shown o hidden."


def test_a_refusal_within_a_refusal_is_translated_too() -> None:
    refusal = BadRecord(3, IllegalMove("not-held", card="R7/O1"))
    said = catalogue("es").refusal(refusal.reason, refusal.facts, str(refusal))
    assert said == "Línea 3: R7/O1 no está en la mano."


# ---------------------------------------------------------------- tone
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_exclaimed_but_uno(language: str) -> None:
    typed = re.compile(r"¡?UNO!|\d!|=G!|\{text!r\}|\{\w+!r\}|(Add|Agrega|Agregá|add|agrega|agregá) !")
    shouting = {
        key: text for key, text in catalogue(language).entries.items() if re.search("[!¡]", typed.sub("", text))
    }
    assert shouting == {}


def test_argentina_says_vos() -> None:
    tu = re.compile(r"\b(tú|ti|tienes|puedes|elige|escribe|agrega|pulsa|prueba|di|usa|quita|juégala|quédate|aquí)\b")
    impersonal = re.compile(r"\b(se escribe|se elige|lo prueba|y elige verde)\b")
    entries = catalogue("es-AR").entries
    told = {key: tu.findall(impersonal.sub("", text.lower())) for key, text in entries.items()}
    assert {key: found for key, found in told.items() if found} == {}


@pytest.mark.parametrize("language", SPANISH)
def test_spanish_speaks_no_english(language: str) -> None:
    english = re.compile(r"\b(the|you|your|cards?|hand|play|played|drew|draws|turn|seat|with|is|and|of|or)\b")
    typed = re.compile(r"\{[^}]*\}|--\w+|flipdeck replay")  # facts, and what is typed as it stands
    entries = {key: text for key, text in catalogue(language).entries.items() if not key.startswith("command.")}
    told = {key: english.findall(typed.sub("", text)) for key, text in entries.items()}
    assert {key: found for key, found in told.items() if found} == {}


# ---------------------------------------------------------------- which language
@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("en", "en"),
        ("en_US.UTF-8", "en"),
        ("es", "es"),
        ("es-MX", "es"),
        ("es_ES@euro", "es"),
        ("es_AR.UTF-8", "es-AR"),
        ("ES-ar", "es-AR"),
        ("fr_FR", None),
        ("C", None),
        ("", None),
    ],
)
def test_a_locale_means_a_language(name: str, language: str | None) -> None:
    assert language_named(name) == language


def test_the_environment_decides_in_its_usual_order(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    assert language_of_environment() == "en"
    monkeypatch.setenv("LANG", "es_MX.UTF-8")
    assert language_of_environment() == "es"
    monkeypatch.setenv("LC_MESSAGES", "es_AR.UTF-8")
    assert language_of_environment() == "es-AR"
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert language_of_environment() == "en"


def test_a_language_that_is_not_there_is_no_catalogue() -> None:
    with pytest.raises(KeyError):
        catalogue("fr")


def test_every_edition_has_a_name_in_every_language() -> None:
    for language in LANGUAGES:
        assert all(catalogue(language).text(f"edition.{name}") for name in editions.NAMES)


def test_a_tie_is_told_as_a_shared_win() -> None:
    event = {"event": "won", "side": "light", "winners": [0, 2]}
    assert catalogue("en").event(event, 2, ["Ana", "Beto", "Cleo"]) == "Ana and you share the win."
    assert catalogue("es-AR").event(event, 0, ["Ana", "Beto", "Cleo"]) == "Vos y Cleo comparten la victoria."


def test_a_listener_without_a_seat_is_told_what_a_match_shows_to_all() -> None:
    match = Match(players=2, seed="abc", dealer=0)
    words = catalogue("en")
    told = [words.event(event.to_dict()) for event in match.seen(match.history[0].dealt, None)]
    assert "Seat 1 got 7 cards." in told
