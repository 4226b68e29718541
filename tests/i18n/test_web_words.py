"""What the page in the browser says: the same in every language, all of it there, and none of it idle."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any, get_args

import pytest

from flipdeck.core import editions
from flipdeck.core.errors import SENTENCES as OF_THE_RULES
from flipdeck.i18n import catalogue
from flipdeck.i18n.rulebook import book
from flipdeck.server.http.routes import editions_info
from flipdeck.wire.client_messages import EMOTES
from flipdeck.wire.errors import REASONS, SENTENCES
from flipdeck.wire.parts import BotLevel, Speed

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "web" / "src"
WORDS = ROOT / "src" / "flipdeck" / "i18n" / "web"
REFUSAL = "refusal."
FORMS = (".one", ".other")

# keys that are put together where they are said: `t(`options.level.${level}`)`
PUT_TOGETHER = re.compile(r"`([a-z_]+(?:\.[a-z_-]+)*\.)\$\{")
WHOLE = re.compile(r"""["'`]([a-z_]+(?:\.[A-Za-z0-9_+-]+)+)["'`]""")


def flat(table: dict[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def said(language: str) -> dict[str, str]:
    return dict(flat(tomllib.loads((WORDS / f"{language}.toml").read_text(encoding="utf-8"))))


def placeholders(text: str) -> set[str]:
    """What a sentence is given, with or without its article."""
    return {name.removeprefix("a_") for _, name, _, _ in Formatter().parse(text) if name}


def without_refusals(language: str) -> dict[str, str]:
    return {key: text for key, text in said(language).items() if not key.startswith(REFUSAL)}


ENGLISH, SPANISH, ARGENTINE = without_refusals("en"), without_refusals("es"), without_refusals("es-AR")


# ---------------------------------------------------------------- complete
def test_spanish_says_all_that_english_says() -> None:
    assert SPANISH.keys() == ENGLISH.keys()


def test_argentine_spanish_says_only_what_it_says_otherwise() -> None:
    base = said("es")
    assert said("es-AR").keys() <= base.keys()
    assert {key for key, text in said("es-AR").items() if text == base[key]} == set()


@pytest.mark.parametrize("language", ["es", "es-AR"])
def test_a_sentence_tells_the_same_facts_in_every_language(language: str) -> None:
    other = without_refusals(language)
    numbers = {key: {"n"} if key.endswith(FORMS) else set() for key in other}  # one may be said without a digit
    differing = {
        key
        for key, text in other.items()
        if placeholders(text) - numbers[key] != placeholders(ENGLISH[key]) - numbers[key]
    }
    assert differing == set()


def test_what_can_be_counted_has_a_singular_and_a_plural() -> None:
    counted = {key.rpartition(".")[0] for key in ENGLISH if key.endswith(FORMS)}
    assert {key for key in counted if not {key + form for form in FORMS} <= ENGLISH.keys()} == set()


def test_no_key_is_that_of_the_shared_catalogue() -> None:
    """The page reads both as one: the same key twice would hide a sentence."""
    shared = {section.partition(".")[0] for section in catalogue("en").entries} & page_sections()
    own = {key.partition(".")[0] for key in ENGLISH}
    assert own & shared == set()


def page_sections() -> set[str]:
    """The sections of the shared catalogues that the page is built with."""
    built = (ROOT / "web" / "catalogues.ts").read_text(encoding="utf-8")
    lists = re.findall(r"const (?:SHARED|ALSO) = \[(.*?)\]", built, re.S)
    return set(re.findall(r'"([a-z]+)"', " ".join(lists))) - {"refusal"}


# ---------------------------------------------------------------- refusals
@pytest.mark.parametrize("language", ["es", "es-AR"])
def test_every_refusal_of_a_table_has_a_sentence(language: str) -> None:
    spoken = {**said("es"), **said(language)}
    told = {key.removeprefix(REFUSAL) for key in spoken if key.startswith(REFUSAL)}
    assert told - OF_THE_RULES.keys() == {*SENTENCES, *REASONS, "unreachable"}


@pytest.mark.parametrize("language", ["en", "es", "es-AR"])
def test_a_refusal_tells_only_what_it_is_given(language: str) -> None:
    """An answer to a request carries no facts, and those of a table that it does carry are in English or numbers of
    versions and bytes: no sentence of the page may need one."""
    needing = {key for key, text in said(language).items() if key.startswith(REFUSAL) and placeholders(text)}
    assert needing == set()


def test_english_refusals_are_the_servers_own_or_have_a_sentence_in_spanish_too() -> None:
    own = {key for key in said("en") if key.startswith(REFUSAL)}
    assert own <= said("es").keys()
    assert {code for code, sentence in SENTENCES.items() if said("en").get(REFUSAL + code) == sentence} == set()


@pytest.mark.parametrize("language", ["en", "es", "es-AR"])
def test_a_refusal_speaks_to_people(language: str) -> None:
    """Nothing of how programs talk: no versions, tokens or notation, no option=value, no seats counted from 0."""
    jargon = re.compile(
        r"versi[oó]n \{|tokens?\b|permiso|protocol|bytes|hello\b"
        r"|\w=\w|\w_\w|(?:seat|asiento) \{|\{card\}|!r\}",
        re.IGNORECASE,
    )
    rules = list(OF_THE_RULES)
    of_moves = rules[rules.index("round-over") : rules.index("no-such-seat-to-catch") + 1]
    told = {reason: refusal_on_the_page(language, reason) for reason in (*SENTENCES, *of_moves, "no-printed-pairing")}
    assert {reason: sentence for reason, sentence in told.items() if jargon.search(sentence)} == {}


def refusal_on_the_page(language: str, reason: str) -> str:
    """The page's own sentence, else the shared catalogue's, else the server's."""
    own = {**said("es"), **said(language)} if language != "en" else said("en")
    shared = catalogue(language).entries
    servers = OF_THE_RULES | {str(code): sentence for code, sentence in SENTENCES.items()}
    key = REFUSAL + reason
    return own.get(key) or shared.get(key) or servers[reason]


# ---------------------------------------------------------------- what the server can name
@pytest.mark.parametrize("language", ["en", "es", "es-AR"])
def test_whatever_the_server_can_name_has_words(language: str) -> None:
    entries, rules = {**said("en" if language == "en" else "es"), **said(language)}, book(language)
    assert all(entries[f"options.level.{level}"] for level in get_args(BotLevel))
    assert all(entries[f"options.speed.{speed}"] for speed in get_args(Speed))
    assert all(entries[f"talk.emote.{emote}"] for emote in EMOTES)
    assert all(catalogue(language).text(f"edition.{name}") and rules.editions[name] for name in editions.NAMES)
    for option in editions_info().options:
        rule = rules.rule(option.name)
        assert rule.name
        assert rule.text
        assert rule.setting
        named = {"switch": {"on", "off"}, "choice": set(option.choices), "number": set()}[option.kind]
        assert rule.setting.values.keys() == named
        assert all(rule.setting.values.values())
        assert rule.setting.range == (None if option.low is None else (option.low, option.high))


def test_every_option_is_on_one_of_the_two_lists_of_the_form() -> None:
    topics = {topic.id: [rule.id for rule in topic.rules] for topic in book("en").topics}
    assert sorted(topics["house-rules"] + topics["options"]) == sorted(each.name for each in editions_info().options)


# ---------------------------------------------------------------- said somewhere
def sources() -> str:
    files = [path for path in PAGE.rglob("*") if path.suffix in (".ts", ".svelte") and ".test." not in path.name]
    return "\n".join(path.read_text(encoding="utf-8") for path in files if path.name != "wire.ts")


def test_every_key_that_the_page_names_is_there() -> None:
    sections = {key.partition(".")[0] for key in ENGLISH}
    there = {key for name in ENGLISH for key in (name, name.removesuffix(".one"), name.removesuffix(".other"))}
    named = {key for key in WHOLE.findall(sources()) if key.partition(".")[0] in sections}
    assert named - there - {f"refusal.{code}" for code in SENTENCES} == set()


def test_nothing_is_written_down_that_the_page_never_says() -> None:
    source = sources()
    named, begun = set(WHOLE.findall(source)), tuple(PUT_TOGETHER.findall(source))
    idle = {
        key
        for key in ENGLISH
        if not {key, key.removesuffix(".one"), key.removesuffix(".other")} & named and not key.startswith(begun)
    }
    assert idle == set()


# ---------------------------------------------------------------- tone
@pytest.mark.parametrize("language", ["en", "es", "es-AR"])
def test_nothing_is_exclaimed_but_uno(language: str) -> None:
    shouting = {key for key, text in said(language).items() if re.search("[!¡]", re.sub(r"¡?UNO!", "", text))}
    assert shouting == set()


def test_argentina_says_vos() -> None:
    tu = re.compile(
        r"\b(tú|ti|contigo|eres|tienes|puedes|quieres|juegas|tomas|elige|escribe|pulsa|prueba|usa|quita|pon|haz|aquí"
        r"|míralo|revisa|revísal[ao]|cárgala|desactívalos|elígelo|crea|conéctate)\b"
    )
    others = re.compile(r"\b(quien|nadie|alguien|\{name\}|\{who\}|se|le|la partida|la carta|otra persona) \w+")
    entries = {**said("es"), **said("es-AR")}
    told = {key: tu.findall(others.sub("", text.lower())) for key, text in entries.items()}
    assert {key: found for key, found in told.items() if found} == {}


@pytest.mark.parametrize("language", ["es", "es-AR"])
def test_spanish_speaks_no_english(language: str) -> None:
    english = re.compile(r"\b(the|you|your|cards?|hand|play|turn|seat|with|is|and|of|or|table)\b")
    told = {key: english.findall(re.sub(r"\{[^}]*\}", "", text)) for key, text in said(language).items()}
    assert {key: found for key, found in told.items() if found} == {}
