"""What the rules make certain of cards that nobody saw is so in every world that a seat deals."""

from __future__ import annotations

from random import Random

from flipdeck.bots.belief.memory import code_of_face
from flipdeck.bots.belief.sampler import Belief
from flipdeck.core.cards import Face, Side
from flipdeck.core.codes import COLOR_AT, FIRST_WILD, RANK_BITS
from flipdeck.core.reading import hand_in_order
from tests.bots.brute_force import deal_one
from tests.bots.watching import LOOK_ALIKES_PLAYED, Watcher, look_alikes
from tests.tables import say, table


def fronts_in_worlds(watcher: Watcher, seat: int, number: int = 200) -> list[list[int]]:
    """The fronts of a hand in worlds where all are as likely."""
    belief, dice, found = Belief(watcher.memory), Random("certain"), []
    for _ in range(number):
        world = deal_one(watcher.memory, belief, dice)
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


def test_a_card_that_was_drawn_and_may_be_played_matches_in_every_world() -> None:
    match = table(["B2/P2 G3/P3", "B4/T4 B5/T5"], top="R5/V5", draw="R7/V7")
    watcher = Watcher(match, 1)
    watcher.see_deal()
    say(match, "0: draw")
    watcher.see_move(Side.LIGHT)
    for *_, drawn in fronts_in_worlds(watcher, 0):
        assert drawn >= FIRST_WILD or drawn >> COLOR_AT == 0 or drawn & RANK_BITS == 5


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
