"""What a seat samples is just what it can have been shown: stories told again with every hidden face elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from random import Random

import pytest

from flipdeck.bots.belief.inference import ALL
from flipdeck.bots.belief.memory import UNKNOWN, Memory
from flipdeck.core.reading import hand_in_order
from tests.bots.brute_force import chi_square, most_chi_square
from tests.bots.replayed import Story, all_worlds, in_full, memory_of, sampled, world_of
from tests.bots.watching import look

WORLDS = 4_000
ANYTHING = tuple(product(("printed", "shuffled"), ("shown", "hidden")))
BACKS_SHOWN = tuple(product(("printed", "shuffled"), ("shown",)))
# the story, how many cards are shuffled into a new draw pile in it, and how the cards are paired and seen
STORIES: dict[str, tuple[Story, int, tuple[tuple[str, str], ...]]] = {
    "a draw that can't be played and one that can, both kept": (
        Story(
            ("R2/P1 B3/P2", "B4/T4 G5/T5"),
            "R5/O5",
            "G7/V7 R8/T4 B9/T2",
            ("0: draw", "0: keep", "1: draw", "1: keep"),
        ),
        0,
        ANYTHING,
    ),
    "a drawn card that is played": (
        Story(("R2/P1 B3/P2", "B4/T4 G5/T5"), "R5/O5", "R8/V8 B9/T2 G7/V7", ("1: draw", "1: R8"), dealer=0),
        0,
        ANYTHING,
    ),
    "draws until one fits": (
        Story(
            ("R2/P1 B3/P2", "B4/T4 G5/T5"),
            "R5/O5",
            "G7/V7 R8/T4 B9/V7",
            ("1: draw", "1: keep"),
            (("draw_until_playable", True),),
            dealer=0,
        ),
        0,
        ANYTHING,
    ),
    "draws until there are no more": (
        Story(
            ("R2/P1 B3/P2", "R4/T4 G5/T5"),
            "R5/O5",
            "G7/V7 B9/T5",
            ("1: draw", "1: keep"),
            (("draw_until_playable", True),),
            dealer=0,
        ),
        0,
        ANYTHING,
    ),
    "a keep where playing is forced": (
        Story(
            ("R2/P1 B3/P2", "B4/T4 G5/T5"),
            "R5/O5",
            "G7/V7 R8/V7",
            ("1: draw", "1: keep"),
            (("forced_play", True),),
            dealer=0,
        ),
        0,
        ANYTHING,
    ),
    "a pass": (
        Story(
            ("R2/P1 B3/P2", "B4/T4 G7/T5", "R8/T4 Y5/T5"),
            "R5/O5",
            "",
            ("1: draw",),
            dealer=0,
        ),
        0,
        BACKS_SHOWN,
    ),
    "a flip": (
        Story(("RF/P1 B3/P2", "B4/P4 G5/T5"), "R5/P5", "G7/V7 R8/P8 B9/T2", ("0: RF!", "1: P4!")),
        0,
        ANYTHING,
    ),
    "look-alikes, one of them played, and a flip": (
        Story(("R2/P1 B3/P2 G1/P3", "RF/T4 R6/T5 B6/T4"), "R5/P5", "G7/V7 B8/P8", ("1: RF",), dealer=0),
        0,
        ANYTHING,
    ),
    "a known card among look-alikes": (
        Story(
            ("R1/W+C R2/P2 R3/O2 R9/T5", "R4/T3 R6/T4 R7/T7 W/O3"),
            "R8/O5",
            "W/P5 W/O4 W/T9",
            ("0: W+C=P", "1: accept", "0: P2", "1: draw", "1: keep", "0: O2!", "1: O4"),
            (("start_side", "dark"), ("reveal_draw_color", True)),
        ),
        0,
        BACKS_SHOWN,
    ),
    "a reshuffle": (
        Story(
            ("R2/P1 R3/P2 G1/T1", "R4/T4 R6/T5 G9/T6"),
            "R5/P5",
            "G7/V7",
            ("0: R2", "1: R4", "0: draw", "0: keep", "1: draw", "1: keep"),
        ),
        2,
        BACKS_SHOWN,
    ),
}
# not exact: the groups become one, and so more worlds can be than look the same
HALF_SEEN: dict[str, tuple[Story, int]] = {
    "a reshuffle with an own card whose back was not seen": (
        Story(
            ("R2/P1 R8/T2 G1/T1", "R6/P2 R2/P2 G9/V9"),
            "R5/P1",
            "B7/V7",
            ("0: R2", "1: R6", "0: R8!", "1: draw", "1: keep", "0: draw", "0: keep"),
        ),
        3,
    ),
    "… and others draw it": (
        Story(
            ("R2/P1 G1/T1 G3/T2", "R6/P2 R8/V8 R2/P2"),
            "R5/P1",
            "B7/V7",
            ("0: R2", "1: R6", "0: draw", "0: keep", "1: R8!", "0: draw", "0: keep", "1: draw", "1: keep"),
        ),
        3,
    ),
}
CASES = [(name, *how) for name, (_, _, hows) in STORIES.items() for how in hows]


def disagreement(name: str, pairing: str, own_backs: str, spoil: Callable[[Memory], None] = lambda _: None) -> str:
    story, reshuffled, _ = STORIES[name]
    match = story.laid(pairing, own_backs)
    lines = in_full(match, story.lines)
    ways, memory = all_worlds(match, lines, reshuffled), memory_of(match, lines, reshuffled)
    spoil(memory)
    found = sampled(memory, WORLDS, Random(f"{pairing} {own_backs}"))
    if impossible := found.keys() - ways.keys():
        return f"{sum(found[one] for one in impossible)} impossible worlds"
    assert min(ways.values()) * WORLDS > 8 * ways.total(), "too few for chi-square"
    if missing := ways.keys() - found.keys():
        return f"{len(missing)} of {len(ways)} worlds never occur"
    if len(ways) > 1 and (far := chi_square(ways, found)) > most_chi_square(len(ways) - 1):
        return f"chi-square {far:.0f} for {len(ways)} worlds"
    return ""


@pytest.mark.parametrize(("name", "pairing", "own_backs"), CASES)
def test_the_worlds_of_a_seat_are_those_that_look_the_same_to_it(name: str, pairing: str, own_backs: str) -> None:
    assert disagreement(name, pairing, own_backs) == ""


@pytest.mark.parametrize("pairing", ["printed", "shuffled"])
@pytest.mark.parametrize("name", HALF_SEEN)
def test_after_an_own_card_with_a_hidden_back_is_reshuffled_every_world_can_still_be(name: str, pairing: str) -> None:
    """What is dealt besides differs in the groups alone: it has the cards of the deck, and shows what is seen."""
    story, reshuffled = HALF_SEEN[name]
    match = story.laid(pairing, "hidden")
    lines = in_full(match, story.lines)
    ways, memory = all_worlds(match, lines, reshuffled), memory_of(match, lines, reshuffled)
    found = sampled(memory, WORLDS, Random(pairing))
    assert ways.keys() <= found.keys()
    cards = [look(match._game, card) for card in range(match._game.deck)]
    deck = [Counter(card[side] for card in cards) for side in (0, 1)]
    seen = world_of(memory.game)
    for world in found:
        for mine, known in zip(world, seen, strict=True):
            assert all(face in (UNKNOWN, there) for there, face in zip(mine, known, strict=True))
        for side in (0, 1):
            assert Counter(mine[side] for mine in world) <= deck[side]


def certain_of_a_keep(memory: Memory) -> None:
    """The rule before: what was kept could have been played."""
    drawn = hand_in_order(memory.game, 1)[-1]
    memory.ban([drawn], ALL & ~(memory.unlikely[drawn] or ALL))


def test_a_seat_that_takes_a_kept_card_for_one_that_fits_is_found() -> None:
    name = "a draw that can't be played and one that can, both kept"
    assert "never occur" in disagreement(name, "shuffled", "shown", certain_of_a_keep)


def no_ambiguities(memory: Memory) -> None:
    assert memory.ambiguities
    memory.ambiguities.clear()


def no_bans(memory: Memory) -> None:
    assert any(memory.bans)
    memory.bans = [0] * len(memory.bans)


@pytest.mark.parametrize(
    ("name", "spoil"),
    [
        ("draws until one fits", no_bans),
        ("draws until there are no more", no_bans),
        ("a keep where playing is forced", no_bans),
        ("a pass", no_bans),
        ("look-alikes, one of them played, and a flip", no_ambiguities),
        ("a known card among look-alikes", no_ambiguities),
    ],
)
def test_a_seat_that_forgets_what_is_certain_is_found(name: str, spoil: Callable[[Memory], None]) -> None:
    _, _, hows = STORIES[name]
    assert "impossible" in disagreement(name, "shuffled", hows[0][1], spoil)
