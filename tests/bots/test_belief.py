"""Worlds that agree with all a seat has seen: every one of them, each as likely as it is, and no others.

Tiny decks are counted out (``brute_force``) and compared with many sampled worlds by chi-square; the dice are fixed, so
a test always gives the same answer.  Samplers that are wrong on purpose must be found.  Then the decks of real matches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from flipdeck.bots.belief.front_only import FrontOnlySampler
from flipdeck.bots.belief.memory import UNKNOWN, Memory
from flipdeck.bots.belief.sampler import Belief
from flipdeck.bulk import determinize, twin
from flipdeck.bulk.determinize import DealPlan, deal_world
from flipdeck.core.cards import Side
from flipdeck.core.codes import COLOR_AT, DARK, FIRST_WILD, LIGHT, NO_COLOR, WILD_DRAW
from flipdeck.core.reading import hand_in_order
from flipdeck.core.rules.order import seat_after, top_face
from flipdeck.core.state import CHALLENGE, Game
from tests.bots.brute_force import (
    TABLES,
    all_worlds,
    dealt_in_bulk,
    disagreement,
    memory_of,
    random_groups,
    settle,
)
from tests.bots.checked_worlds import check_bans, check_seen, check_world, worlds_of
from tests.bots.watching import Watcher, look, places
from tests.random_matches import random_table, say_something
from tests.tables import say, table

WORLDS = 20_000
SETTLED_WORLDS = 3_000  # where every world needs a plan of its own


@pytest.mark.parametrize("name", TABLES)
def test_every_world_that_can_be_is_as_likely_as_it_is(name: str) -> None:
    side, groups = TABLES[name]
    memory, ways = memory_of(groups, side), all_worlds(groups)
    number = WORLDS if Belief(memory).certain else SETTLED_WORLDS
    assert min(ways.values()) * number > 8 * ways.total(), "too few for chi-square"
    assert disagreement(groups, memory, number, Random(name)) == ""


@pytest.mark.parametrize("part", range(2))
def test_random_tables_too(part: int) -> None:
    dice = Random(f"random tables {part}")
    for _ in range(4):
        side, groups = dice.choice((LIGHT, DARK)), random_groups(dice)
        assert disagreement(groups, memory_of(groups, side), 2_000, dice) == "", (side, groups)


# ---------------------------------------------------------------- wrong on purpose
def blind_to_backs(memory: Memory) -> None:
    memory.game.faces[:] = [UNKNOWN] * len(memory.game.faces)


def blind_to_the_opening(memory: Memory) -> None:
    memory.pools[0].late.clear()


def one_shuffle(memory: Memory) -> None:
    memory.merge_pools()


def no_known_pairs(memory: Memory) -> None:
    for pool in memory.pools:
        for light, dark in pool.pairs.elements():
            pool.lights[light] += 1
            pool.darks[dark] += 1
        pool.pairs.clear()


@pytest.mark.parametrize(
    ("spoil", "name"),
    [
        (blind_to_backs, "pairs as they are printed"),
        (blind_to_the_opening, "cards that went back before the opening"),
        (one_shuffle, "after a reshuffle"),
        (no_known_pairs, "a later round: some pairs are known"),
    ],
)
def test_a_seat_that_forgets_something_is_found(spoil: Callable[[Memory], None], name: str) -> None:
    side, groups = TABLES[name]
    memory = memory_of(groups, side)
    spoil(memory)
    assert disagreement(groups, memory, WORLDS, Random(name))


def each_front_by_itself(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(FrontOnlySampler, "_weight", lambda _self, _number, choice, _x, _y: choice.ways)


def singles_by_themselves(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(FrontOnlySampler, "_pairings", lambda _self, _x, _y: 1.0)


def unshuffled(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(determinize, "below", lambda _x, _number: 0)


@pytest.mark.parametrize(
    ("spoil", "name"),
    [
        (each_front_by_itself, "the bottom of the draw pile shows its front"),
        (each_front_by_itself, "own backs hidden in a later round"),
        (singles_by_themselves, "own backs hidden in a later round"),
        (unshuffled, "a chain of fronts and backs"),
    ],
)
def test_a_sampler_that_is_wrong_is_found(
    spoil: Callable[[pytest.MonkeyPatch], None], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    side, groups = TABLES[name]
    spoil(monkeypatch)
    assert disagreement(groups, memory_of(groups, side), SETTLED_WORLDS, Random(name))


# ---------------------------------------------------------------- compiled and interpreted
def check_twins(memory: Memory, dice: Random, number: int) -> None:
    """The same dice deal the same worlds, number by number."""
    belief, rng = Belief(memory), dice.getrandbits(62)
    plan, placed = belief.plan(dice)
    base = memory.game.copy()
    settle(base, placed)
    compiled = [twin.from_record(record) for record in dealt_in_bulk(base, plan, number, rng)]
    for other in compiled:
        world = base.copy()
        rng = deal_world(world, plan, rng)
        assert world == other


@pytest.mark.parametrize("name", TABLES)
def test_compiled_and_interpreted_deal_the_same_worlds(name: str) -> None:
    side, groups = TABLES[name]
    dice = Random(f"twins {name}")
    for _ in range(5):
        check_twins(memory_of(groups, side), dice, 4)


# ---------------------------------------------------------------- real decks
def check_guilt(watcher: Watcher, world: Game) -> None:
    """CHAL-3, told in other words: a card of the color from before among those that were in the hand then."""
    g, accused = watcher.match._game, seat_after(world, -1)
    then = sum(g.arrived[card] <= g.shown_until for card in hand_in_order(g, accused))
    colors = {world.faces[world.side + card] >> COLOR_AT for card in hand_in_order(world, accused)[:then]}
    wanted = {watcher.memory.color_before} | ({NO_COLOR} if g.wilds_match_in_challenge else set())
    assert world.guilty == bool(colors & wanted)


def check_true_world(watcher: Watcher) -> None:
    """The true cards laid into the picture: then the guilt is the true one."""
    g, world = watcher.match._game, watcher.memory.game.copy()
    for really, pictured in zip(places(g), places(world), strict=True):
        for true, mine in zip(really, pictured, strict=True):
            world.faces[LIGHT + mine], world.faces[DARK + mine] = look(g, true)
    deal_world(world, DealPlan(color_before=watcher.memory.color_before), 0)
    assert world.guilty == g.guilty


def is_challenge(g: Game) -> bool:
    return g.phase == CHALLENGE and top_face(g) == FIRST_WILD | WILD_DRAW


@pytest.mark.parametrize("pairing", ["printed", "shuffled"])
@pytest.mark.parametrize("own_backs", ["shown", "hidden"])
def test_worlds_of_real_matches_agree_with_all_that_was_seen(pairing: str, own_backs: str) -> None:
    dice, met = Random(f"real decks {pairing} {own_backs}"), Counter[str]()
    for _ in range(6):
        table = random_table(dice, pairing=pairing, own_backs=own_backs, bluffing=True, deck=112)
        match = table.match()
        watcher = Watcher(match, dice.randrange(match.players))
        watcher.see_deal()
        for _ in range(60):
            if match.over:
                break
            side = match.round.side
            if match.round.over:
                match.next_round()
                watcher.see_deal()
            else:
                say_something(match, dice, eager=True)
                watcher.see_move(side)
            challenge = is_challenge(match._game)
            if match.round.over or not (challenge or dice.random() < 0.2):
                continue
            met["challenge"] += challenge
            for world in worlds_of(watcher.memory, dice, 2):
                check_world(watcher.memory, world)
                check_seen(watcher, world)
                check_bans(watcher, world)
                if challenge:
                    check_guilt(watcher, world)
            if challenge:
                check_true_world(watcher)
            if dice.random() < 0.2:
                check_twins(watcher.memory, dice, 2)
    assert met["challenge"] > 5


def test_cards_drawn_since_a_wild_draw_do_not_make_its_player_guilty() -> None:
    """Caught without UNO between the play and the answer: the red cards of the penalty came too late."""
    match = table(["W+2/P1 B2/P2", "B4/T4 B5/T5", "Y4/O4 Y5/O5"], top="R5/V5", draw="R7/V7 R8/V8")
    watcher = Watcher(match, 1)
    watcher.see_deal()
    for line in ("0: W+2=B", "2: catch 0"):
        say(match, line)
        watcher.see_move(Side.LIGHT)
    for world in worlds_of(watcher.memory, Random("caught"), 200):
        check_guilt(watcher, world)
    check_true_world(watcher)


def test_who_came_late_takes_nobody_for_guilty() -> None:
    """The color from before is not known, so nothing speaks against anybody."""
    match = table(["W+2/P1 R2/P2 W/P3", "B4/T4 B5/T5 B6/T6"], top="R5/V5")
    say(match, "0: W+2=B")
    watcher = Watcher(match, 1)
    watcher.come_late()
    assert {world.guilty for world in worlds_of(watcher.memory, Random("late"), 100)} == {0}
