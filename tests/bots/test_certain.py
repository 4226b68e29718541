"""What the rules make certain of cards that nobody saw is so in every world that a seat deals."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from flipdeck.bots.belief.memory import code_of_face
from flipdeck.bots.belief.sampler import TRIES, Belief
from flipdeck.core.cards import Face, Side
from flipdeck.core.codes import COLOR_AT, FIRST_WILD, RANK_BITS, WILD_DRAW
from flipdeck.core.match import Match
from flipdeck.core.reading import hand_in_order
from tests.bots.brute_force import deal_one
from tests.bots.checked_worlds import check_bans
from tests.bots.watching import LOOK_ALIKES_PLAYED, Watcher, look_alikes
from tests.tables import say, table


def fronts_in_worlds(watcher: Watcher, seat: int, number: int = 200, tries: int = 1) -> list[list[int]]:
    """The fronts of a hand in worlds; with one try, all are as likely."""
    belief, dice, found = Belief(watcher.memory), Random("certain"), []
    for _ in range(number):
        world = deal_one(watcher.memory, belief, dice, tries)
        found.append([world.faces[world.side + card] for card in hand_in_order(world, seat)])
    return found


def test_who_was_found_innocent_has_none_of_the_color_in_any_world() -> None:
    match = table(["W+2/P1 B2/P2 G3/P3", "B4/T4 B5/T5 B6/T6", "Y4/O4 Y5/O5 Y6/O6"], top="R5/V5")
    watcher = Watcher(match, 2)
    watcher.see_deal()
    for line in ("0: W+2=B", "1: challenge"):
        say(match, line)
        watcher.see_move(Side.LIGHT)
    red = 0
    assert all(face >> COLOR_AT != red for hand in fronts_in_worlds(watcher, 0) for face in hand)
    assert any(face >> COLOR_AT == red for hand in fronts_in_worlds(watcher, 1) for face in hand)


# ---------------------------------------------------------------- what a draw tells
RED, FIVE, WILD_DRAW_TWO = 0, 5, FIRST_WILD | WILD_DRAW


def matches(face: int) -> bool:
    """It can be played on R5."""
    return face >= FIRST_WILD or face >> COLOR_AT == RED or face & RANK_BITS == FIVE


def drawn_before(lines: tuple[str, ...], draw: str = "R7/V7 G8/V8", **options: Any) -> Watcher:
    """Seat 1 watches what seat 0 says on R5."""
    match = table(["B2/P2 G3/P3", "B4/T4 B5/T5"], top="R5/V5", draw=draw, **options)
    watcher = Watcher(match, 1)
    watcher.see_deal()
    for line in lines:
        say(match, line)
        watcher.see_move(Side.LIGHT)
    return watcher


def share_that_matches(watcher: Watcher, tries: int = 1) -> float:
    fronts = [hand[-1] for hand in fronts_in_worlds(watcher, 0, 400, tries)]
    return sum(map(matches, fronts)) / len(fronts)


@pytest.mark.parametrize("draw", ["R7/V7", "G7/V7"])
def test_whether_a_drawn_card_fits_is_open(draw: str) -> None:
    """TURN-2: 26 red cards, 6 fives and 8 wilds of 112."""
    watcher = drawn_before(("0: draw",), draw)
    assert 0.2 < share_that_matches(watcher) < 0.5
    say(watcher.match, "0: keep")
    watcher.see_move(Side.LIGHT)
    assert 0.2 < share_that_matches(watcher) < 0.5


def test_a_card_that_was_kept_hardly_fits_and_may_all_the_same() -> None:
    drawn, kept = drawn_before(("0: draw",)), drawn_before(("0: draw", "0: keep"))
    assert share_that_matches(drawn, TRIES) > 0.2
    assert 0 < share_that_matches(kept, 2) < 0.2, "weighed less, and not excluded"
    assert share_that_matches(kept, TRIES) < 0.05
    (*_, fronts) = Belief(kept.memory).fronts_in(0)
    assert 0 < sum(chance for face, chance in fronts.items() if matches(face)) < 0.05, "as the hints have it"


def test_who_draws_until_it_fits_has_just_one_that_does() -> None:
    watcher = drawn_before(("0: draw", "0: keep"), "G7/V7 G8/V8 R9/V9 G9/T9", draw_until_playable=True)
    for *_, first, second, last in fronts_in_worlds(watcher, 0):
        assert (matches(first), matches(second), matches(last)) == (False, False, True)


def test_when_the_cards_run_out_the_last_one_may_be_anything() -> None:
    match = table(["B2/P2 G3/P3", "B4/T4 R6/T5"], top="R5/V5", draw="G7/V7 G8/V8", draw_until_playable=True)
    leave_only(match, 2)
    watcher = Watcher(match, 1)
    watcher.come_late()
    say(match, "0: draw")
    watcher.see_move(Side.LIGHT)
    hands = fronts_in_worlds(watcher, 0)
    assert not any(matches(hand[-2]) for hand in hands)
    assert {matches(hand[-1]) for hand in hands} == {True, False}


def leave_only(match: Match, stock: int) -> None:
    """Take all cards away but the hands, the discard pile and so many of the draw pile."""
    g = match._game
    g.stock[:stock] = g.stock[g.stock_size - stock : g.stock_size]
    g.stock_size = stock


@pytest.mark.parametrize("bluffing", [True, False])
def test_where_playing_is_forced_a_kept_card_does_not_fit_unless_it_is_a_wild_draw(bluffing: bool) -> None:
    """TURN-3: a Wild Draw that the restriction forbids may be kept."""
    watcher = drawn_before(("0: draw", "0: keep"), "G7/V7 G8/V8", forced_play=True, bluffing=bluffing)
    kept = {hand[-1] for hand in fronts_in_worlds(watcher, 0, 2000)}
    assert {face for face in kept if matches(face)} == {WILD_DRAW_TWO}


def test_who_is_not_sure_which_card_was_drawn_concludes_nothing_from_a_keep() -> None:
    match = table(
        ["B2/P2 G3/P3", "B4/T4 B5/T5"], top="R5/V5", draw="G7/V7 R8/V8 R9/V9", forced_play=True, false_catch_penalty=2
    )
    say(match, "0: draw", "0: catch 1")
    watcher = Watcher(match, 1)
    watcher.come_late()
    say(match, "0: keep")
    watcher.see_move(Side.LIGHT)
    check_bans(watcher, deal_one(watcher.memory, Belief(watcher.memory), Random(0)))
    assert not any(watcher.memory.bans)


# ---------------------------------------------------------------- what a pass tells
@pytest.mark.parametrize(
    ("options", "may_hold"),
    [
        ({}, False),
        ({"bluffing": False}, False),  # without the color in force it is no bluff
        ({"bluffing": False, "wilds_match_in_challenge": True}, True),  # two of them forbid each other
    ],
)
def test_who_passes_holds_nothing_that_fits(options: dict[str, Any], may_hold: bool) -> None:
    match = table(["B2/P2 G3/P3", "B4/T4 R6/T5"], top="R5/V5", draw="G7/V7", **options)
    leave_only(match, 0)
    watcher = Watcher(match, 1)
    watcher.come_late()
    assert any(matches(face) for hand in fronts_in_worlds(watcher, 0) for face in hand)
    say(match, "0: draw")
    watcher.see_move(Side.LIGHT)
    held = {face for hand in fronts_in_worlds(watcher, 0, 2000) for face in hand}
    assert {face for face in held if matches(face)} == ({WILD_DRAW_TWO} if may_hold else set())


def test_a_card_that_was_revealed_stays_in_the_hand_when_one_that_looks_like_it_is_played() -> None:
    match = look_alikes()
    watcher = Watcher(match, 0)
    watcher.see_deal()
    for line in LOOK_ALIKES_PLAYED:
        say(match, line)
        watcher.see_move(Side.DARK)
    revealed = code_of_face(Face.parse("P5"))
    hands = fronts_in_worlds(watcher, 1)
    assert all(revealed in hand[-2:] for hand in hands)
    assert {hand[-1] == revealed for hand in hands} == {True, False}
