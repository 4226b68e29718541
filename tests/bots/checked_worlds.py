"""Determinizations of a watching seat, checked against its memory and against the true cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from flipdeck.bots.belief.memory import UNKNOWN, Memory
from flipdeck.bots.belief.sampler import Belief
from flipdeck.bulk.acting import kind_of
from flipdeck.core.codes import DARK, LIGHT, faces_in
from flipdeck.core.pairing import PRINTED_DARK, PRINTED_LIGHT
from flipdeck.core.reading import hand_in_order
from flipdeck.core.state import Game
from tests.bots.brute_force import deal_one, world_of
from tests.bots.watching import Watcher, check_index, look, places

PRINTED = Counter(zip(PRINTED_LIGHT, PRINTED_DARK, strict=True))


def worlds_of(memory: Memory, dice: Random, number: int) -> Iterator[Game]:
    belief = Belief(memory)
    for _ in range(number):
        yield deal_one(memory, belief, dice, tries=dice.choice((1, 3)))


def check_world(memory: Memory, world: Game) -> None:
    """Everything that the seat knows is so in this world."""
    g = memory.game
    deck = Counter(faces_in(g.deck))
    looks = world_of(world.faces, g.deck)
    assert Counter(light for light, _ in looks) == deck == Counter(dark for _, dark in looks)
    assert all(known in (UNKNOWN, face) for known, face in zip(g.faces, world.faces, strict=True))
    assert memory.options.pairing != "printed" or Counter(looks) == PRINTED
    for number, pool in enumerate(memory.pools):
        unplaced = [card for card in range(g.deck) if memory.group[card] == number and UNKNOWN in look(g, card)]
        there = Counter(looks[card] for card in unplaced)
        assert pool.pairs <= there, "a pair that is known was taken apart"
        assert Counter(light for light, _ in (there - pool.pairs).elements()) == +pool.lights
        assert pool.late <= Counter(looks[card] for card in unplaced if not memory.dealt_first[card])
    check_index(world)


def check_seen(watcher: Watcher, world: Game) -> None:
    """Every face that the seat was shown and can place lies there in the world."""
    g, own = watcher.match._game, hand_in_order(watcher.match._game, watcher.seat)
    for really, pictured in zip(places(g), places(world), strict=True):
        for true, mine in zip(really, pictured, strict=True):
            shown = [side for side in (LIGHT, DARK) if (side, true) in watcher.known and true not in watcher.muddled]
            for side in {*shown, *([DARK - g.side] if really in places(g)[:-2] and true not in own else ())}:
                assert world.faces[side + mine] == g.faces[side + true], "the seat has seen another face there"


def check_bans(watcher: Watcher, world: Game) -> None:
    """What the rules make certain is true, and so in the world."""
    g, memory = watcher.match._game, watcher.memory
    for really, pictured in zip(places(g), places(world), strict=True):
        for true, mine in zip(really, pictured, strict=True):
            if UNKNOWN in look(memory.game, mine):
                ban = memory.bans[g.side + mine]
                assert not ban >> kind_of(g.faces[g.side + true]) & 1, "taken for certain, and not so"
                assert not ban >> kind_of(world.faces[g.side + mine]) & 1, "certain, and not so in this world"
