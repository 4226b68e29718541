"""The facts that the page is given are those that the rules and the server go by."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest

from flipdeck.core import codes, editions
from flipdeck.core.cards import Face, Side, code_of, full_deck
from flipdeck.core.match import Match
from flipdeck.core.notation import Catch, Move, SayUno
from flipdeck.core.options import Options
from flipdeck.core.record import write
from flipdeck.core.rules.effects import pay
from flipdeck.core.setting_up import new_game
from flipdeck.core.shuffling import new_round_quickly
from flipdeck.server.http.routes import editions_info
from flipdeck.wire.connection import CLOSE_CODES, FINAL, POLICY, RECONNECT
from flipdeck.wire.facts import facts, option_types
from flipdeck.wire.typescript import WIDTH, _literal, typescript

FACTS = {fact.name: fact.value for fact in facts()}
TEXT = typescript()


def written(name: str) -> Any:
    """A constant of ``wire.ts``, read back."""
    found = re.search(rf"^export const {name}(?::[^=]+)? = (.*?)(?: as const)?;$", TEXT, re.DOTALL | re.MULTILINE)
    assert found, name
    quoted = re.sub(r"([{,]\s*)(\w+):", r'\1"\2":', found[1])
    return json.loads(re.sub(r",(\s*[}\]])", r"\1", quoted))


@pytest.mark.parametrize("name", FACTS)
def test_every_fact_is_written_as_it_is(name: str) -> None:
    assert written(name) == FACTS[name]


def test_a_value_that_fits_in_no_line_is_broken() -> None:
    value = {"a": [{"word": "x" * 40} for _ in range(5)], "none": {}, "texts": ["y" * 30] * 9}
    lines = _literal(value, 0).splitlines()
    assert len(lines) > 5
    assert max(map(len, lines)) <= WIDTH


@pytest.mark.parametrize("symbol", ["+1", "+5", "W+2"])
def test_a_symbol_makes_somebody_draw_as_many_cards_as_the_page_says(symbol: str) -> None:
    side = Side.LIGHT if symbol in FACTS["SYMBOLS"]["light"] + FACTS["WILDS"]["light"] else Side.DARK
    g = new_game(Options(), 3, bytes(32), None)
    new_round_quickly(g, 0)
    g.side = codes.LIGHT if side is Side.LIGHT else codes.DARK
    face = code_of(side, Face.parse(symbol if symbol.startswith("W") else side.colors[0].value + symbol))
    g.pile[g.pile_size - 1] = next(card for card in range(g.deck) if g.faces[g.side + card] == face)
    before, g.owed = g.counts[1], 2
    pay(g, 1)
    assert g.counts[1] - before == 2 * FACTS["DRAWS"][symbol]


def test_only_a_wild_draw_color_has_no_number() -> None:
    drawing = [symbol for side in Side for symbol in (*FACTS["SYMBOLS"][side.value], *FACTS["WILDS"][side.value])]
    assert {symbol for symbol in drawing if "+" in symbol} - FACTS["DRAWS"].keys() == {"W+C"}


def test_colors_symbols_and_wilds_are_the_faces_of_a_deck() -> None:
    for side in Side:
        colored = {c + symbol for c in FACTS["COLORS"][side.value] for symbol in FACTS["SYMBOLS"][side.value]}
        assert colored | set(FACTS["WILDS"][side.value]) == {str(face) for face in full_deck(side, 112)}


@pytest.mark.parametrize("name", editions.NAMES)
def test_a_deck_has_as_many_faces_of_a_symbol_as_the_page_says(name: str) -> None:
    deck = editions.edition(name).options.cards
    for side in Side:
        faces = full_deck(side, deck).elements()
        assert FACTS["FACE_COUNTS"][str(deck)][side.value] == Counter(face.symbol.value for face in faces)


@pytest.mark.parametrize("side", list(Side))
def test_a_face_is_worth_what_the_page_says(side: Side) -> None:
    start = codes.LIGHT if side is Side.LIGHT else codes.DARK
    for face in full_deck(side, 112):
        assert FACTS["POINTS"][side.value][face.symbol.value] == codes.points_of(start, code_of(side, face))


def test_moves_out_of_turn_are_those_that_begin_so() -> None:
    beginnings = tuple(FACTS["OUT_OF_TURN"])
    for text in ("draw", "keep", "accept", "challenge", "uno", "catch 3", "color G", "R7/O1", "W/P5=G!"):
        assert text.startswith(beginnings) == isinstance(Move.parse(text), SayUno | Catch)


def test_the_page_and_the_api_have_the_same_editions_and_options() -> None:
    told = editions_info()
    assert [edition.name for edition in told.editions] == FACTS["EDITIONS"] == list(editions.NAMES)
    for edition in told.editions:
        every = {**FACTS["DEFAULT_OPTIONS"], **FACTS["EDITION_OPTIONS"][edition.name]}
        assert edition.options == {name: every[name] for name in every if name != "most_moves"}
    assert list(option_types()) == list(FACTS["DEFAULT_OPTIONS"])
    assert [option.name for option in told.options] == [name for name in option_types() if name != "most_moves"]
    assert told.levels == FACTS["LEVELS"]


def test_the_printed_deck_is_the_one_that_is_dealt() -> None:
    dealt = Match(players=2, seed="printed", options={"pairing": "printed"})
    assert write(dealt).splitlines()[0] == FACTS["RECORD_FIRST_LINE"]
    cards = FACTS["PRINTED_DECK"]
    assert len(cards) == 112
    hands = re.findall(r"^hand \d: (.+)$", write(dealt), re.MULTILINE)
    assert set(" ".join(hands).split()) <= set(cards)


def test_a_close_code_is_final_or_it_is_not() -> None:
    assert {POLICY, *CLOSE_CODES.values()} == FINAL | RECONNECT
    assert not FINAL & RECONNECT
    assert FACTS["FINAL_CLOSE_CODES"] == sorted(FINAL)


def test_the_page_counts_a_hand_as_the_rules_do() -> None:
    for side, start in ((Side.LIGHT, codes.LIGHT), (Side.DARK, codes.DARK)):
        told = FACTS["POINTS"][side.value]
        assert all(
            told[face.symbol.value] == codes.points_of(start, code_of(side, face)) for face in full_deck(side, 112)
        )


def test_what_only_records_have_is_offered_at_no_table() -> None:
    offered = {option.name: set(option.choices or ()) for option in editions_info().options}
    only = {option["name"]: set(option.get("choices", ())) for option in FACTS["RESEARCH_OPTIONS"]}
    assert only == {"deck": {"mini"}, "most_moves": set()}
    assert "most_moves" not in offered
    assert offered["deck"].isdisjoint(only["deck"])
