"""Views that are handed in as JSON: what the referee tells is read back, anything else is refused in a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from flipdeck.bots.view_json import FIELDS, read_view
from flipdeck.core.cards import Seat
from flipdeck.core.errors import Refusal
from flipdeck.core.match import Match
from flipdeck.core.options import Options
from flipdeck.core.view import View
from tests.random_matches import random_table, say_something
from tests.tables import table

Told = dict[str, Any]


def told(match: Match, seat: int | None = 0) -> Told:
    return dict(json.loads(json.dumps(match.view(seat).to_dict())))


def untold(match: Match, seat: int | None = 0) -> View:
    """The view without what its JSON leaves out."""
    return replace(match.view(seat), dealer=Seat(0), round_number=1, winners=())


def refusal(view: object, options: Options) -> str:
    with pytest.raises(Refusal) as refused:
        read_view(view if isinstance(view, str) else json.dumps(view), options)
    return f"{refused.value.reason}: {refused.value}"


# ---------------------------------------------------------------- what is one
def test_every_view_of_random_matches_is_read_as_it_was() -> None:
    dice, phases = Random(2), set()
    for _ in range(60):
        match = random_table(dice).match()
        for _ in range(dice.randrange(50)):
            if not match.round.over:
                say_something(match, dice)
        for seat in (None, *range(min(match.players, 3))):
            view = match.view(seat)
            public = {"round_number": view.round_number, "dealer": view.dealer, "owed": view.owed}
            given = {**told(match, seat), **public, "winners": list(view.winners)}
            assert read_view(json.dumps(given), match.options) == view
            less = read_view(json.dumps(told(match, seat)), match.options)
            assert replace(less, owed=view.owed) == untold(match, seat)
            phases.add(view.phase.value)
    assert phases >= {"turn", "drawn", "challenge", "round-over"}


def test_the_whole_answer_of_the_referee_will_do() -> None:
    match = table(["R7 B2", "G5 G6"], top="R5")
    answer, bare = json.dumps({"ok": True, "view": told(match)}), json.dumps(told(match))
    assert read_view(answer, match.options) == read_view(bare, match.options) == untold(match)


def test_a_draw_card_to_be_answered_counts_for_one_unless_told() -> None:
    match = table(["R+1 G8 G9", "G+1 G2 G3"], top="R5", stacking=True)
    match.say(0, str(match.view(0).hand[0]))
    view = told(match, 1)
    assert read_view(json.dumps(view), match.options).owed == 1
    assert read_view(json.dumps({**view, "owed": 3}), match.options).owed == 3
    assert refusal({**view, "owed": 0}, match.options) == "view-value: owed can't be 0 in this view."


# ---------------------------------------------------------------- what is none
MATCH = table(["R7/O1 B2/T3 W/P5", "G5/V1 G6/W G9/P9"], top="R5/T6", draw="Y9/V9")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "view-json: This is not JSON: it can't be read at line 1, column 1."),
        ('{"you": 0,\n  oops', "view-json: This is not JSON: it can't be read at line 2, column 3."),
        ("[" * 100_000, "view-json: "),
        ("1" * 10_000, "view-json: "),
        ("[]", "view-shape: A view is a JSON object, as the referee tells it."),
        ("7", "view-shape: "),
        ('{"view": 7}', "view-shape: "),
        ("{}", "view-field: This is not a view: the field 'you' is missing."),
        ('{"ok": false, "error": "no-match"}', "view-field: "),
    ],
)
def test_what_is_no_object_is_refused(text: str, sentence: str) -> None:
    assert refusal(text, MATCH.options).startswith(sentence)


@pytest.mark.parametrize("name", FIELDS)
def test_every_field_is_needed_and_none_can_be_anything(name: str) -> None:
    view = told(MATCH)
    del view[name]
    assert refusal(view, MATCH.options) == f"view-field: This is not a view: the field {name!r} is missing."
    odd: tuple[object, ...] = ("?!", 1.5, -7, True, {"a": 1}, [[]], ["?!"], [1.5], [None], [-1], 10**30)
    for value in odd:
        assert refusal({**told(MATCH), name: value}, MATCH.options)


def changed(**values: object) -> Callable[[Told], Told]:
    return lambda view: {**view, **values}


def hand(*cards: str) -> Callable[[Told], Told]:
    return lambda view: {**view, "hand": list(cards)}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (changed(dance=1), "view-extra: This is not a view: it has no field 'dance'."),
        (changed(you=2), "view-value: you can't be 2 in this view."),
        (changed(to_act=None), "view-value: to_act can't be None"),
        (changed(to_act=True), "view-value: to_act can't be True"),
        (changed(direction=0), "view-value: direction"),
        (changed(phase="dancing"), "view-value: phase can't be 'dancing' in this view."),
        (changed(phase="round-over"), "view-value: to_act can't be 0"),
        (changed(phase="color"), "view-value: color"),
        (changed(phase="color", color=None), "view-value: top can't be 'R5'"),
        (changed(phase="challenge"), "view-value: top"),
        (changed(color="G"), "view-value: color can't be 'G'"),
        (changed(color="P"), "view-value: color can't be 'P'"),
        (changed(color=None), "view-value: color can't be None"),
        (changed(top="P5"), "view-value: top can't be 'P5' in this view."),
        (changed(top="R55"), "no-face: 'R55' is not a face"),
        (changed(draw_back="R1"), "view-value: draw_back can't be 'R1'"),
        (changed(draw_back=None), "view-value: draw_back can't be None"),
        (changed(draw_count=0), "view-value: draw_back can't be 'V9'"),
        (changed(draw_count=-1), "view-value: draw_count can't be -1"),
        (changed(draw_count=60), "view-count: The deck has 112 cards, the view 67."),
        (changed(discard_count=0), "view-value: discard_count"),
        (changed(hand=[]), "view-value: hand can't be []"),
        (hand("R7/O1", "B2/T3", "W/P5", "W/P6"), "view-count: The deck has 112 cards, the view 113."),
        (hand("R7/O1", "R7/T3", "R7/P5"), "view-faces: The light side of the deck has 2 × R7, the view 3."),
        (hand("R7/O1", "B2/T3", "W/?"), "view-own-backs: With own_backs=shown, a hand does not show W/?."),
        (hand("R7/O1", "B2/T3", "?/P5"), "view-own-backs: "),
        (hand("R7/O1", "B2/T3", "P5/W"), "wrong-side: 'P5/W' is not a card: P5 is not a face of the light side."),
        (changed(others=[]), "view-value: others"),
        (changed(others=[{"seat": True, "backs": ["V1", "W", "P9"]}]), "view-value: others"),
        (changed(others=[{"seat": 1, "backs": []}]), "view-value: others"),
        (changed(others=[{"seat": 1, "backs": ["V1", "W", "P9"], "hand": []}]), "view-value: others"),
        (changed(others=[{"seat": 0, "backs": ["V1", "W", "P9"]}]), "view-value: others"),
        (changed(catchable=[0, 0]), "view-value: catchable can't be [0, 0]"),
        (changed(catchable=[2]), "view-value: catchable"),
        (changed(scores=[0]), "view-value: scores can't be [0]"),
        (changed(scores=[0, -1]), "view-value: scores"),
        (changed(scores=[0, 0, 0]), "view-value: others"),
        (changed(round_number=0), "view-value: round_number can't be 0"),
        (changed(dealer=5), "view-value: dealer"),
        (changed(winners=[7]), "view-value: winners"),
        (changed(legal=[]), "view-legal: The rules allow R7/O1 here, the view does not: give the edition and the"),
        (changed(legal=["dance"]), "no-move: 'dance' is not a move"),
        (changed(legal=["keep"]), "view-not-legal: The view allows keep here, the rules do not: give the edition"),
        (changed(phase="round-over", to_act=None), "view-not-legal: The view allows R7/O1 here"),
    ],
)
def test_what_does_not_hold_together_is_refused(change: Callable[[Told], Told], sentence: str) -> None:
    view = told(MATCH)
    assert read_view(json.dumps(view), MATCH.options) == untold(MATCH)
    assert refusal(change(view), MATCH.options).startswith(sentence)


def test_a_move_that_is_told_twice_is_refused() -> None:
    view = told(MATCH)
    assert refusal({**view, "legal": [*view["legal"], "draw"]}, MATCH.options).startswith("view-not-legal: ")


def test_a_view_of_other_rules_is_refused() -> None:
    stacked = table(["R+1 G8 G9", "G+1 G2 G3"], top="R5", stacking=True)
    stacked.say(0, str(stacked.view(0).hand[0]))
    assert refusal(told(stacked, 1), Options(hand_size=3)).startswith("view-not-legal: ")
    assert refusal(told(MATCH), Options(deck=108)) == "view-count: The deck has 108 cards, the view 112."
    assert refusal(told(MATCH), Options(own_backs="hidden")).startswith("view-own-backs: ")


def test_cards_that_are_not_printed_so_are_refused_where_they_should_be() -> None:
    match = Match(players=2, seed="printed", options={"pairing": "printed"})
    seat = match.to_act
    view = told(match, seat)
    assert read_view(json.dumps(view), match.options) == untold(match, seat)
    # R7 is printed with O1 and V5; both backs are there once more, behind GR and R9
    assert refusal({**view, "hand": ["R7/O2", *view["hand"][1:]]}, match.options).startswith("view-pairing: ")
    other = 1 - (seat or 0)
    view["hand"] = ["B2/O8", "B3/T2", "B4/V1", "B5/OR", "B6/TE", "B7/O3", "B8/T4"]
    backs = {"seat": other, "backs": ["O1", "O1", "V5", "V5", "P3", "P3", "V2"]}
    taken = {**view, "others": [backs], "top": "R7", "color": "R"}  # every R7 is in the other hand, by these backs
    sentence = "?/V5 can't be there: by the printed pairing, all such cards are elsewhere in the view."
    assert refusal(taken, match.options) == f"view-pairing: {sentence}"
