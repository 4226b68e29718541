"""A reshuffle in crowded matches: where its cards may be afterwards.

A seat that saw both faces of every card in the discard pile knows that they are in the draw pile, and in no hand from
before.  Where own backs are hidden it loses that, and nothing else: no face is anywhere that the seat saw another one.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from flipdeck.bots.belief import memory as memory_module
from flipdeck.core.cards import Side
from flipdeck.core.codes import DARK, LIGHT
from flipdeck.core.events import What
from flipdeck.core.match import Match
from flipdeck.core.state import Game
from tests.bots.brute_force import Look
from tests.bots.checked_worlds import check_bans, check_seen, check_world, worlds_of
from tests.bots.watching import Watcher, look, places
from tests.random_matches import say_something


class ReshuffleWatcher(Watcher):
    """Remembers which cards were in the discard pile when it was reshuffled last, and what the seat knew of them."""

    def see_deal(self) -> None:
        self.shuffled, self.pairs, self.half_seen = frozenset[int](), Counter[Look](), 0
        super().see_deal()

    def see_move(self, side: Side) -> None:
        if any(event.what is What.RESHUFFLED for event in self.match.history[-1].said[-1].events):
            g, before = self.match._game, self._before
            pile = set(before.pile[: before.pile_size]) - {g.pile[0]}
            seen = [card for card in pile if {(LIGHT, card), (DARK, card)} <= self.known]
            self.shuffled, self.pairs = frozenset(pile), Counter(look(g, card) for card in seen)
            self.half_seen = len(pile) - len(seen)
        super().see_move(side)

    def check_discards(self, world: Game) -> None:
        """What was in the discard pile then is what lies where its cards are now."""
        there = Counter(
            look(world, mine)
            for really, pictured in zip(places(self.match._game), places(world), strict=True)
            for true, mine in zip(really, pictured, strict=True)
            if true in self.shuffled
        )
        assert self.pairs <= there, "a known card of the discard pile is in a hand from before"


def watch_reshuffles(pairing: str, own_backs: str, players: int) -> Counter[str]:
    """Worlds of a crowded match, some time after a reshuffle; what was met on the way."""
    dice, met = Random(f"reshuffles {pairing} {players}"), Counter[str]()
    options = {"pairing": pairing, "own_backs": own_backs, "hand_size": 10, "draw_until_playable": True}
    match = Match("classic", players, seed=f"reshuffles {players}", options=options | {"target": 1_000_000})
    watcher = ReshuffleWatcher(match, dice.randrange(players))
    watcher.see_deal()
    for _ in range(250):
        if match.round.over:
            match.next_round()
            watcher.see_deal()
            continue
        side = match.round.side
        say_something(match, dice, eager=dice.random() < 0.6)
        watcher.see_move(side)
        if not watcher.shuffled or dice.random() < 0.8:
            continue
        for world in worlds_of(watcher.memory, dice, 1):
            check_world(watcher.memory, world)
            check_seen(watcher, world)
            if own_backs == "shown":
                check_bans(watcher, world)
                watcher.check_discards(world)
        met["checked"] += 1
        met["half seen"] += watcher.half_seen > 0
    return met


@pytest.mark.parametrize("pairing", ["printed", "shuffled"])
def test_what_was_in_the_discard_pile_is_in_no_hand_from_before(pairing: str) -> None:
    met = watch_reshuffles(pairing, "shown", 3) + watch_reshuffles(pairing, "shown", 4)
    assert met["checked"] > 10
    assert not met["half seen"]


@pytest.mark.parametrize("pairing", ["printed", "shuffled"])
def test_hidden_own_backs_contradict_nothing_that_was_seen(pairing: str) -> None:
    met = watch_reshuffles(pairing, "hidden", 3) + watch_reshuffles(pairing, "hidden", 4)
    assert met["half seen"] > 10


def test_a_discard_that_is_dealt_to_a_hand_from_before_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_module, "GROUPS", 1)  # every reshuffle makes all groups one
    with pytest.raises(AssertionError, match="in a hand from before"):
        watch_reshuffles("printed", "shown", 3)
