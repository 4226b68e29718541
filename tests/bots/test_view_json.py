"""Views that are handed in as JSON: what the referee tells is read back, anything else is refused in a sentence."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any

import pytest

from flipdeck.bots.view_json import read_view
from flipdeck.core.errors import Refusal
from flipdeck.core.match import Match
from flipdeck.core.options import Options
from flipdeck.core.view import View
from tests.random_matches import random_table, say_something
from tests.tables import table

ViewJson = dict[str, Any]
ROOT = Path(__file__).parents[2]


def told(match: Match, seat: int | None = 0) -> ViewJson:
    return dict(json.loads(json.dumps(match.view(seat).to_dict())))


def refusal(view: object, options: Options) -> str:
    with pytest.raises(Refusal) as refused:
        read_view(view if isinstance(view, str) else json.dumps(view), options)
    return f"{refused.value.reason}: {refused.value}"


# ---------------------------------------------------------------- what is one
def test_every_view_of_random_matches_is_read_as_it_was() -> None:
    dice, phases = Random(2), set()
    for _ in range(60):
        match = random_table(dice).match()
        for _ in range(dice.randrange(100)):
            if not match.round.over:
                say_something(match, dice)
        for seat in (None, *range(min(match.players, 3))):
            view = match.view(seat)
            assert read_view(json.dumps(told(match, seat)), match.options) == view
            phases.add(view.phase.value)
    assert phases >= {"turn", "drawn", "challenge", "round-over"}


def test_the_whole_answer_of_the_referee_will_do() -> None:
    match = table(["R7 B2", "G5 G6"], top="R5")
    answer, bare = json.dumps({"ok": True, "view": told(match)}), json.dumps(told(match))
    assert read_view(answer, match.options) == read_view(bare, match.options) == match.view(0)


def test_draw_cards_are_owed_while_they_can_be_answered() -> None:
    match = table(["R+1 G8 G9", "G+1 G2 G3"], top="R5", stacking=True)
    match.say(0, str(match.view(0).hand[0]))
    view = told(match, 1)
    assert read_view(json.dumps(view), match.options).owed == 1
    assert read_view(json.dumps({**view, "owed": 3}), match.options).owed == 3
    assert refusal({**view, "owed": 0}, match.options) == "view-value: owed can't be 0 in this view."
    assert refusal({**told(MATCH), "owed": 1}, MATCH.options) == "view-value: owed can't be 1 in this view."


def test_the_documents_show_every_field_of_a_view() -> None:
    """For programs as a view that can be read, with what is legal last; for the referee by name."""
    names = [field.name for field in fields(View)]
    blocks = (ROOT / "docs" / "programs.md").read_text(encoding="utf-8").split("```")
    (example,) = [block for block in blocks if block.startswith("\n{")]
    assert View.from_dict(json.loads(example)).you == 0
    assert list(json.loads(example)) == [name for name in names if name != "legal"] + ["legal"]
    referee = (ROOT / "docs" / "referee.md").read_text(encoding="utf-8").partition("VIEW is all")[2].split("```")[1]
    assert [name for name in re.findall(r'"(\w+)"', referee) if name in names] == names


# ---------------------------------------------------------------- what is none
MATCH = table(["R7/O1 B2/T3 W/P5", "G5/V1 G6/W G9/P9"], top="R5/T6", draw="Y9/V9")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "view-json: This is not JSON: it can't be read at line 1, column 1."),
        ('{"you": 0,\n  oops', "view-json: This is not JSON: it can't be read at line 2, column 3."),
        ("[" * 100_000, "view-json: "),
        ("1" * 10_000, "view-json: "),
        ("[]", "view-shape: A view is a JSON object, as the referee prints it and the server sends it."),
        ("7", "view-shape: "),
        ('{"view": 7}', "view-shape: "),
        ("{}", "view-field: This is not a view: the field 'side' is missing."),
        ('{"ok": false, "error": "no-match"}', "view-field: "),
    ],
)
def test_what_is_no_object_is_refused(text: str, sentence: str) -> None:
    assert refusal(text, MATCH.options).startswith(sentence)


@pytest.mark.parametrize("name", [field.name for field in fields(View)])
def test_every_field_is_needed_and_none_can_be_anything(name: str) -> None:
    view = told(MATCH)
    del view[name]
    assert refusal(view, MATCH.options) == f"view-field: This is not a view: the field {name!r} is missing."
    odd: tuple[object, ...] = ("?!", 1.5, -7, True, {"a": 1}, [[]], ["?!"], [1.5], [None], [-1], 10**30)
    for value in odd:
        assert refusal({**told(MATCH), name: value}, MATCH.options)


def changed(**values: object) -> Callable[[ViewJson], ViewJson]:
    return lambda view: {**view, **values}


def hand(*cards: str) -> Callable[[ViewJson], ViewJson]:
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
        (changed(phase="challenge"), "view-value: owed"),
        (changed(phase="challenge", owed=1), "view-value: top"),
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
        (changed(round=0), "view-value: round can't be 0"),
        (changed(dealer=5), "view-value: dealer"),
        (changed(winners=[7]), "view-value: winners"),
        (changed(legal=[]), "view-legal: The rules allow R7/O1 here, the view does not: give the edition and the"),
        (changed(legal=["dance"]), "no-move: 'dance' is not a move"),
        (changed(legal=["keep"]), "view-not-legal: The view allows keep here, the rules do not: give the edition"),
        (changed(phase="round-over", to_act=None), "view-value: laid_open can't be None"),
        (changed(laid_open=[[], []]), "view-value: laid_open can't be [[], []]"),
        (changed(drawn="R7/O1"), "view-value: drawn can't be 'R7/O1'"),
        (changed(phase="drawn"), "view-value: drawn can't be None"),
        (changed(phase="drawn", drawn="R7/O9"), "view-value: drawn can't be 'R7/O9'"),
        (changed(phase="drawn", drawn="R7/O1"), "view-not-legal: The view allows"),
    ],
)
def test_what_does_not_hold_together_is_refused(change: Callable[[ViewJson], ViewJson], sentence: str) -> None:
    view = told(MATCH)
    assert read_view(json.dumps(view), MATCH.options) == MATCH.view(0)
    assert refusal(change(view), MATCH.options).startswith(sentence)


@pytest.mark.parametrize(("drawn", "legal"), [("R7/O1", ["R7/O1", "keep"]), ("B2/T3", ["keep"])])
def test_the_drawn_card_decides_what_is_legal(drawn: str, legal: list[str]) -> None:
    view = {**told(MATCH), "phase": "drawn", "drawn": drawn, "legal": legal}
    assert str(read_view(json.dumps(view), MATCH.options).drawn) == drawn
    assert refusal({**view, "drawn": "W/P5"}, MATCH.options).startswith("view-")


def test_who_can_play_may_not_pass_when_nothing_is_left_to_draw() -> None:
    """PILE-2: a view that allows it is none."""
    match = Match(players=10, seed="ten", options={"hand_size": 10})
    while match.view(None).draw_count:
        seat = match.to_act or 0
        match.say(seat, "draw")
        match.say(seat, "keep")
    view = told(match, match.to_act)
    assert read_view(json.dumps(view), match.options) == match.view(match.to_act)
    assert view["legal"]
    assert "draw" not in view["legal"]
    refused = refusal({**view, "legal": [*view["legal"], "draw"]}, match.options)
    assert refused.startswith("view-not-legal: The view allows draw here")


def hands_laid_open() -> Match:
    match = table(["R7/O1", "G6/W"], top="R5/T6", draw="Y9/V9")
    match.say(0, "R7/O1")
    assert match.round.over
    return match


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (changed(laid_open=None), "view-value: laid_open can't be None"),
        (changed(laid_open=[[]]), "view-value: laid_open"),
        (changed(laid_open=[[], ["?/W"]]), "view-value: laid_open"),
        (changed(laid_open=[["R9/P9"], ["G6/W"]]), "view-value: hand can't be []"),
        (changed(laid_open=[[], ["G6/P1"]]), "view-value: others"),
    ],
)
def test_hands_that_are_laid_open_agree_with_the_rest(change: Callable[[ViewJson], ViewJson], sentence: str) -> None:
    match = hands_laid_open()
    view = told(match)
    assert read_view(json.dumps(view), match.options) == match.view(0)
    assert refusal(change(view), match.options).startswith(sentence)


def test_a_view_of_the_mini_deck_has_its_faces_its_pairs_and_its_colors() -> None:
    match = Match(players=2, seed="mini", options={"deck": "mini", "hand_size": 2, "most_moves": 20})
    seat = match.to_act or 0
    view = told(match, seat)
    assert read_view(json.dumps(view), match.options) == match.view(seat)
    assert refusal({**view, "hand": ["R1/O1", *view["hand"][1:]]}, match.options).startswith("view-")
    assert refusal({**view, "color": "G"}, match.options).startswith("view-value: color")


@pytest.mark.parametrize("name", ["hand", "legal"])
def test_a_spectator_has_no_hand_and_nothing_to_say(name: str) -> None:
    view = told(MATCH, None)
    assert read_view(json.dumps(view), MATCH.options) == MATCH.view(None)
    assert refusal({**view, name: told(MATCH)[name]}, MATCH.options).startswith(f"view-value: {name} can't be ")


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
    assert read_view(json.dumps(view), match.options) == match.view(seat)
    # R7 is printed with O1 and V5; both backs are there once more, behind GR and R9
    assert refusal({**view, "hand": ["R7/O2", *view["hand"][1:]]}, match.options).startswith("view-pairing: ")
    other = 1 - (seat or 0)
    view["hand"] = ["B2/O8", "B3/T2", "B4/V1", "B5/OR", "B6/TE", "B7/O3", "B8/T4"]
    backs = {"seat": other, "backs": ["O1", "O1", "V5", "V5", "P3", "P3", "V2"]}
    taken = {**view, "others": [backs], "top": "R7", "color": "R"}  # every R7 is in the other hand, by these backs
    sentence = "R7/? can't be there: by the printed pairing, all such cards are elsewhere in the view."
    assert refusal(taken, match.options) == f"view-pairing: {sentence}"
