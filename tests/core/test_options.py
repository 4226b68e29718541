"""Every option with every value, what is refused and how, the presets of the editions, and decks that can't be."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from math import inf, nan
from typing import Any

import pytest

from flipdeck.core import editions
from flipdeck.core.cards import Card, Face, Side, full_deck
from flipdeck.core.errors import BadDeck, BadNotation, BadOption, BadRequest, Refusal
from flipdeck.core.match import Match
from flipdeck.core.options import MINI, OptionCodes, Options, code_of_option, is_for_research, text_of_option

SPECS = {spec.name: spec for spec in fields(Options)}
SWITCHES = [name for name, spec in SPECS.items() if "switch" in spec.metadata]
NUMBERS = {name: spec.metadata["range"] for name, spec in SPECS.items() if "range" in spec.metadata}
CHOICES = {name: spec.metadata["choices"] for name, spec in SPECS.items() if "choices" in spec.metadata}
ODD: list[object] = [
    *[None, nan, inf, 1.0, 0.5, "", " ", "maybe", "ON ", "1e3", [], ["on"], {}, (1,), b"on", 10**30, -1, "-1"],
]


def refused(options: dict[str, object]) -> BadOption:
    with pytest.raises(BadOption) as refusal:
        Options().changed(options)
    assert refusal.value.code == "bad-option"
    return refusal.value


def test_the_rules_read_every_option_as_a_number_with_the_same_default() -> None:
    """Only views ask for ``own_backs``: no rule does."""
    codes = {code.name: code.default for code in fields(OptionCodes)}
    assert codes == {spec.name: code_of_option(spec, Options()) for spec in fields(Options) if spec.name != "own_backs"}


# ---------------------------------------------------------------- values
@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_is_on_or_off_as_text_or_as_it_is(name: str) -> None:
    for text, value in [("on", True), ("off", False), ("ON", True), ("true", True), ("false", False)]:
        assert getattr(Options().changed({name: text}), name) is value
    for value in (True, False):
        assert getattr(Options().changed({name: value}), name) is value
        assert getattr(Options().changed({name: text_of_option(value)}), name) is value


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_may_be_anything_in_its_range_as_text_or_as_it_is(name: str) -> None:
    low, high = NUMBERS[name]
    for value in {low, high, (low + high) // 2}:
        assert getattr(Options().changed({name: value}), name) == value
        assert getattr(Options().changed({name: text_of_option(value)}), name) == value
    for value in (low - 1, high + 1, str(high + 1), True, False, "two", "٣", "9" * 5000):
        assert name in str(refused({name: value}))
        assert refused({name: value}).reason == "not-a-number"


@pytest.mark.parametrize("name", CHOICES)
def test_a_choice_takes_each_of_its_names_and_no_other(name: str) -> None:
    for number, value in enumerate(CHOICES[name]):
        besides: dict[str, object] = {"hand_size": 2, "most_moves": 20} if value == MINI else {}
        chosen = Options().changed({name: value, **besides})
        assert getattr(chosen, name) == value
        assert getattr(Options().changed({name: text_of_option(value), **besides}), name) == value
        assert code_of_option(SPECS[name], chosen) == (chosen.cards if name == "deck" else number)
    for bad in ("no such thing", "", 3, True, False):
        refusal = refused({name: bad})
        assert refusal.reason == "not-a-choice"
        assert name in str(refusal)
        assert all(str(value) in str(refusal) for value in CHOICES[name])


@pytest.mark.parametrize("value", ODD, ids=repr)
@pytest.mark.parametrize("name", SPECS)
def test_what_is_no_value_at_all_is_refused_with_the_option_named(name: str, value: object) -> None:
    assert name in str(refused({name: value}))


@pytest.mark.parametrize("name", ["", "stack", "Stacking", "deck ", "__init__", "players", "edition", "target_"])
def test_an_option_that_is_not_there_is_refused_with_those_that_are(name: str) -> None:
    refusal = refused({name: "on"})
    assert refusal.reason == "unknown-option"
    assert repr(name) in str(refusal)
    assert all(known in str(refusal) for known in SPECS)


def test_options_cannot_be_changed_in_place() -> None:
    options = Options()
    with pytest.raises(AttributeError):
        options.stacking = True  # type: ignore[misc]
    assert options.changed({}) == options == Options()
    assert options.changed({"stacking": "on", "target": "60"}).differences(options) == {"stacking": True, "target": 60}
    with pytest.raises(BadOption):
        replace(options, target=0)


# ---------------------------------------------------------------- combinations
def test_the_printed_pairing_is_known_for_112_cards_only() -> None:
    assert refused({"pairing": "printed", "deck": 108}).reason == "no-printed-pairing"
    with pytest.raises(BadOption, match="112-card deck only"):
        Match("splash", seed="a", options={"pairing": "printed"})
    assert Options().changed({"pairing": "printed"}).pairing == "printed"
    assert Match("splash", 2, seed="a", options={"pairing": "printed", "deck": 112}).options.deck == 112


@pytest.mark.parametrize("players", [-1, 0, 1, 11, 10**30, True, None, "3", 2.0, nan, [2]])
def test_two_to_ten_can_play(players: object) -> None:
    with pytest.raises(BadOption, match="2 to 10 can play") as refusal:
        Match(players=players, seed="a")  # type: ignore[arg-type]
    assert (refusal.value.code, refusal.value.reason) == ("bad-option", "players")


@pytest.mark.parametrize("players", range(2, 11))
@pytest.mark.parametrize("deck", [108, 112])
def test_a_hand_is_as_large_as_the_deck_allows(players: int, deck: int) -> None:
    """One card must be left to turn up and one for each player to draw."""
    for hand_size in range(1, 11):
        options: dict[str, object] = {"deck": deck, "hand_size": hand_size}
        if players * (hand_size + 1) < deck:
            assert len(Match(players=players, seed="a", options=options).view(0).hand) >= hand_size
        else:
            with pytest.raises(BadOption, match=f"{players} players with {hand_size} cards") as refusal:
                Match(players=players, seed="a", options=options)
            assert refusal.value.reason == "deck-too-small"


def test_ten_times_ten_cards_can_be_dealt_from_112_and_not_from_108() -> None:
    assert Match("classic", 10, seed="a", options={"hand_size": 10}).players == 10
    with pytest.raises(BadOption, match="from 108"):
        Match("splash", 10, seed="a", options={"hand_size": 10})


@pytest.mark.parametrize("dealer", [-1, 3, True, "0", 1.0, 10**30])
def test_a_dealer_is_one_of_the_seats(dealer: object) -> None:
    with pytest.raises(BadRequest, match="seats are 0 to 2"):
        Match(players=3, seed="a", dealer=dealer)  # type: ignore[arg-type]


@pytest.mark.parametrize("seat", [-1, 3, True, "0", 1.0, nan, 10**30, [0]])
def test_a_seat_that_is_not_there_has_no_view_and_nothing_to_say(seat: object) -> None:
    match = Match(players=3, seed="a")
    for ask in (match.view, match.legal, lambda s: match.say(s, "draw"), lambda s: match.seen((), s)):
        with pytest.raises(BadRequest, match="seats are 0 to 2") as refusal:
            ask(seat)  # type: ignore[arg-type]
        assert refusal.value.code == "bad-request"
    told = match.why_not(seat, "draw")  # type: ignore[arg-type]
    assert told is not None
    assert told.reason == "no-seat"


@pytest.mark.parametrize(
    "options",
    [
        {"deck": "mini"},
        {"deck": "mini", "hand_size": 2},
        {"deck": "mini", "most_moves": 20},
        {"deck": "mini", "hand_size": 3, "most_moves": 20},
        {"deck": "mini", "hand_size": 2, "most_moves": 21},
    ],
)
def test_what_cannot_be_dealt_from_the_mini_deck_is_refused(options: dict[str, object]) -> None:
    refusal = refused(options)
    assert refusal.reason == "mini-deck"
    assert "hand_size from 1 to 2 and most_moves from 1 to 20" in str(refusal)


@pytest.mark.parametrize("players", [3, 10])
def test_the_mini_deck_is_for_two(players: int) -> None:
    with pytest.raises(BadOption, match=f"for 2 players, not {players}"):
        Match(players=players, seed="a", options={"deck": "mini", "hand_size": 1, "most_moves": 20})


def test_the_mini_deck_has_no_printed_pairing() -> None:
    assert refused({"deck": "mini", "pairing": "printed"}).reason == "no-printed-pairing"


def test_tables_are_not_offered_what_is_for_research() -> None:
    offered = {
        name: [value for value in CHOICES.get(name, [spec.default, 20]) if not is_for_research(spec, value)]
        for name, spec in SPECS.items()
    }
    assert offered["deck"] == [112, 108]
    assert offered["most_moves"] == [0]
    assert offered["hand_size"] == [7, 20]
    assert offered["scoring"] == ["points", "lowest", "quick"]


# ---------------------------------------------------------------- editions
DEFAULTS: dict[str, object] = {
    "deck": 112,
    "pairing": "shuffled",
    "first_dealer": "highest_card",
    "opening_actions": "act",
    "opening_ignored": "stays",
    "opening_flip": "redraw",
    "two_player_reverse": "skip",
    "reveal_draw_color": False,
    "wilds_match_in_challenge": False,
    "wild_after_flip_to_dark": "flipper",
    "wild_after_flip_to_light": "flipper",
    "catch_window": "next_turn",
    "late_uno": True,
    "own_backs": "shown",
    "scoring": "points",
    "target": 500,
    "stacking": False,
    "jump_in": False,
    "draw_until_playable": False,
    "forced_play": False,
    "bluffing": True,
    "false_catch_penalty": 0,
    "uno_penalty": 2,
    "hand_size": 7,
    "start_side": "light",
    "most_moves": 0,
}
PRESETS: dict[str, dict[str, object]] = {
    "classic": {},
    "splash": {"deck": 108, "reveal_draw_color": True, "wild_after_flip_to_light": "next"},
    "argentina": {"reveal_draw_color": True, "catch_window": "while_one_card"},
    "mild-wild": {
        "first_dealer": "chosen",
        "opening_actions": "ignore",
        "wilds_match_in_challenge": True,
        "scoring": "quick",
    },
}


@pytest.mark.parametrize("name", editions.NAMES)
def test_an_edition_is_the_preset_that_the_rules_say(name: str) -> None:
    options = editions.edition(name).options
    assert {option: getattr(options, option) for option in SPECS} == {**DEFAULTS, **PRESETS[name]}
    assert options.differences(Options()) == PRESETS[name]
    assert editions.edition(name).title
    assert editions.edition(name) is editions.edition(name)


def test_there_are_four_editions_and_classic_is_the_default() -> None:
    assert set(editions.NAMES) == set(PRESETS)
    assert Match(seed="a").edition.name == editions.DEFAULT == "classic"


@pytest.mark.parametrize("name", ["", "Classic", "uno", "../classic", "classic.toml", None, 1, ["classic"], b"classic"])
def test_an_edition_that_is_not_there_is_refused_with_those_that_are(name: object) -> None:
    with pytest.raises(BadOption, match="classic, splash, argentina, mild-wild") as refusal:
        Match(name, seed="a")  # type: ignore[arg-type]
    assert refusal.value.reason == "unknown-edition"
    assert repr(name) in str(refusal.value)


# ---------------------------------------------------------------- decks
def a_deck(size: int) -> list[str]:
    light, dark = (list(full_deck(side, size).elements()) for side in Side)
    return [str(Card(*faces)) for faces in zip(light, dark[5:] + dark[:5], strict=True)]


def bad_deck(deck: list[str], edition: str = "classic") -> BadDeck:
    with pytest.raises(BadDeck) as refusal:
        Match(edition, 2, seed="a", deck=deck)
    assert refusal.value.code == "bad-deck"
    return refusal.value


def test_a_deck_is_dealt_as_it_is_given_top_card_first() -> None:
    deck = a_deck(112)
    match = Match(players=2, seed="a", deck=deck, dealer=0)
    hands = match.secret_state()["hands"]
    assert hands == [deck[1:14:2], deck[0:14:2]]
    whole = [Card.parse(text) for text in deck]
    assert Match(players=2, seed="a", deck=whole, dealer=0).secret_state() == match.secret_state()
    assert Match("splash", 2, seed="a", deck=a_deck(108)).round.number == 1


@pytest.mark.parametrize("size", [112, 108])
def test_a_side_has_the_faces_that_the_rules_say(size: int) -> None:
    for side, colors, draw in ((Side.LIGHT, "RYGB", "+1"), (Side.DARK, "POTV", "+5")):
        skip, wild_draw = ("S", "W+2") if side is Side.LIGHT else ("E", "W+C")
        symbols = [*"123456789", draw, "R", skip, "F"]
        want = Counter({color + symbol: 2 for color in colors for symbol in symbols})
        want.update({"W": (size - 104) // 2, wild_draw: (size - 104) // 2})
        assert Counter({str(face): number for face, number in full_deck(side, size).items()}) == want


def test_a_deck_of_another_size_is_refused() -> None:
    assert "112 cards, not 0" in str(bad_deck([]))
    assert "112 cards, not 111" in str(bad_deck(a_deck(112)[1:]))
    assert "112 cards, not 108" in str(bad_deck(a_deck(108)))
    assert "108 cards, not 112" in str(bad_deck(a_deck(112), "splash"))


@pytest.mark.parametrize(("side", "old", "new"), [("light", "R1", "R2"), ("light", "W", "W+2"), ("dark", "P9", "W+C")])
def test_a_deck_with_a_face_too_many_is_refused_with_the_face_named(side: str, old: str, new: str) -> None:
    at = 0 if side == "light" else 1
    deck = [text.split("/") for text in a_deck(112)]
    next(faces for faces in deck if faces[at] == old)[at] = new
    refusal = bad_deck(["/".join(faces) for faces in deck])
    assert refusal.reason == "wrong-faces"
    assert f"The {side} side" in str(refusal)
    assert str(refusal.facts["face"]) in (old, new)
    assert isinstance(refusal.facts["face"], Face)


def test_a_deck_with_an_unknown_or_impossible_face_is_refused() -> None:
    light = a_deck(112)[0].split("/")[0]
    assert bad_deck([f"{light}/?", *a_deck(112)[1:]]).reason == "unknown-face-in-deck"
    assert f"{light}/?" in str(bad_deck([f"{light}/?", *a_deck(112)[1:]]))
    with pytest.raises(BadNotation, match="X9"):
        Match(players=2, seed="a", deck=["X9/P1", *a_deck(112)[1:]])


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"options": ["stacking"]}, "not-by-name"),
        ({"options": 5}, "not-by-name"),
        ({"values": [b"v" * 32]}, "not-by-seat"),
        ({"values": 5}, "not-by-seat"),
        ({"deck": 5}, "no-deck"),
        ({"deck": "R7/O1"}, "no-deck"),
        ({"deck": [1] * 112}, "no-deck"),
    ],
)
def test_what_is_no_mapping_or_no_deck_is_refused(given: dict[str, Any], reason: str) -> None:
    with pytest.raises(Refusal) as refusal:
        Match(seed="odd", **given)
    assert refusal.value.reason == reason
