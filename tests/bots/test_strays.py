"""Own cards whose backs were hidden when they were shuffled again: every world that can be, as likely as it is.

Tiny decks of several shuffles are counted out, with cards that went from one into another; then real matches are
watched, and what lay in the discard pile at its last shuffle has to be there in every world.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from random import Random

import pytest

from flipdeck.bots.belief.memory import UNKNOWN, Memory
from flipdeck.bots.belief.sampler import Belief
from flipdeck.bots.belief.strays import Claim, Stray
from flipdeck.bots.belief.tracing import Tracing
from flipdeck.bulk.determinize import deal_world
from flipdeck.core.cards import Side
from flipdeck.core.codes import DARK, LIGHT
from flipdeck.core.events import What
from flipdeck.core.match import Match
from flipdeck.core.state import Game
from tests.bots.brute_force import (
    Look,
    Place,
    Shuffled,
    World,
    card_look,
    chi_square,
    faces_in,
    looks_in,
    memory_of,
    most_chi_square,
    sampled_worlds,
    settle,
    ways_to_lay,
)
from tests.bots.watching import Watcher, look, places
from tests.random_matches import say_something

WORLDS = 1_000


# ---------------------------------------------------------------- tiny decks
@dataclass(frozen=True, slots=True)
class Tangle:
    """Shuffles, one after the other; cards of an earlier one that lie in a later one; cards seen there."""

    groups: Sequence[Shuffled]
    strays: Sequence[tuple[int, int, str]]  # from which into which, and what was seen of it
    claims: Sequence[tuple[int, str]] = ()

    def memory(self, side: int) -> Memory:
        memory = memory_of(self.groups, side)
        memory.strays = [Stray(source, to, *shown(text)) for source, to, text in self.strays]
        memory.claims = [Claim(group, card_look(text), learnt=False) for group, text in self.claims]
        return memory

    def worlds(self) -> Counter[World]:
        found = Counter[World]()
        for darks in permutations(faces_in(self.groups[0].darks)):
            self._lay(0, [[] for _ in self.groups], (), darks, found)
        return found

    def _lay(
        self, number: int, came: list[list[Look]], before: World, darks: Sequence[int], found: Counter[World]
    ) -> None:
        if number == len(self.groups):
            found[before] += 1
            return
        group = self.groups[number]
        singles = zip(faces_in(group.lights), darks, strict=True) if number == 0 else ()
        on_time = [*looks_in(group.pairs), *singles, *came[number]]
        cards = [(*card, False) for card in on_time] + [(*card, True) for card in looks_in(group.late)]
        laid = group.laid()
        leaving = [(to, Place(*shown(text))) for source, to, text in self.strays if source == number]
        seen = [Place(*card_look(text), first=False) for at, text in self.claims if at == number]
        for way in ways_to_lay(cards, [*laid, *(place for _, place in leaving), *seen]):
            then = [list(each) for each in came]
            for (to, _), card in zip(leaving, way[len(laid) :], strict=False):
                then[to].append(card)
            self._lay(number + 1, then, before + way[: len(laid)], darks, found)


def shown(text: str) -> tuple[int, int, bool]:
    return *card_look(text.rstrip("*")), text.endswith("*")


def disagreement(tangle: Tangle, side: int, dice: Random) -> str:
    ways = tangle.worlds()
    found = sampled_worlds(tangle.memory(side), WORLDS, dice)
    assert min(ways.values()) * WORLDS > 5 * ways.total(), "too few for chi-square"
    if impossible := found.keys() - ways.keys():
        return f"{sum(found[one] for one in impossible)} impossible worlds"
    if len(ways) > 1 and (far := chi_square(ways, found)) > most_chi_square(len(ways) - 1):
        return f"chi-square {far:.0f} for {len(ways)} worlds"
    return ""


TANGLES = {
    "the back of a stray decides what others can have": Tangle(
        [Shuffled("?/P1* ?/P2* ?/?", pairs="R1/P1 R1/P2 R2/P1 R2/P2"), Shuffled("?/P1 ?/?", pairs="R3/P1")],
        [(0, 1, "R1/?*")],
    ),
    "strays without a known partner": Tangle(
        [
            Shuffled("?/P1* R3/?*", pairs="R1/P1", lights="R1 R2 R3", darks="P1 P2 P2"),
            Shuffled("?/P2 ?/? ?/?", pairs="R4/P2"),
        ],
        [(0, 1, "R1/?*"), (0, 1, "R2/?*")],
    ),
    "a place that shows the front of a stray": Tangle(
        [
            Shuffled("?/P2 ?/P1*", pairs="R1/P1", late="R1/P2", lights="R2 R1 R3", darks="P1 P2 P2"),
            Shuffled("R3/? R2/? R1/? ?/?", pairs="R3/P1"),
        ],
        [(0, 1, "R2/?*"), (0, 1, "R1/?*"), (0, 1, "?/P2*")],
    ),
    "a card that may be a known one or a stray": Tangle(
        [Shuffled("?/P1* ?/P2", pairs="R1/P1 R1/P2 R2/P2"), Shuffled("?/?", pairs="R1/P1")],
        [(0, 1, "R1/?*")],
        [(1, "R1/P1")],
    ),
    "a stray that was one before": Tangle(
        [
            Shuffled("?/? ?/?", pairs="R3/P3 R2/P3", late="R2/P3"),
            Shuffled(""),
            Shuffled("?/P3", pairs="R2/P3"),
        ],
        [(0, 1, "?/P3"), (1, 2, "R2/?")],
        [(2, "R2/P3")],
    ),
}


@pytest.mark.parametrize("side", [LIGHT, DARK])
@pytest.mark.parametrize("name", TANGLES)
def test_a_stray_is_any_card_that_it_can_be_as_often_as_it_is(name: str, side: int) -> None:
    assert disagreement(TANGLES[name], side, Random(f"{name} {side}")) == ""


def no_strays(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Tracing, "weight", lambda _self: float("-inf"))


def each_choice_by_itself(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Tracing, "_weight", lambda _self, _number, choice, _count: choice.ways)


@pytest.mark.parametrize("spoil", [no_strays, each_choice_by_itself])
def test_strays_that_are_drawn_wrong_are_found(
    spoil: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil(monkeypatch)
    assert disagreement(TANGLES["the back of a stray decides what others can have"], LIGHT, Random("wrong"))


# ---------------------------------------------------------------- real decks
class Observer(Watcher):
    """Remembers what the seat knew of the discard pile when it was shuffled last."""

    def see_deal(self) -> None:
        self.shuffled, self.pairs, self.halves = frozenset[int](), Counter[Look](), list[Look]()
        super().see_deal()

    def see_move(self, side: Side) -> None:
        if any(event.what is What.RESHUFFLED for event in self.match.history[-1].said[-1].events):
            g, before = self.match._game, self._before
            pile = set(before.pile[: before.pile_size]) - {g.pile[0]}
            seen = [(self._seen(LIGHT, card), self._seen(DARK, card)) for card in sorted(pile)]
            self.shuffled, self.pairs = frozenset(pile), Counter(one for one in seen if UNKNOWN not in one)
            self.halves = [one for one in seen if UNKNOWN in one]
        super().see_move(side)

    def _seen(self, side: int, card: int) -> int:
        return self.match._game.faces[side + card] if (side, card) in self.known else UNKNOWN

    def check(self, world: Game) -> None:
        """What lay in the discard pile then is what lies where its cards are now."""
        there = [
            look(world, mine)
            for really, pictured in zip(places(self.match._game), places(world), strict=True)
            for true, mine in zip(really, pictured, strict=True)
            if true in self.shuffled
        ]
        assert self.pairs <= Counter(there), "a known card of the discard pile is in a hand from before"
        rest = list((Counter(there) - self.pairs).elements())
        assert can_all_be(self.halves, rest), "a card that was seen in the discard pile is in a hand from before"


def can_all_be(halves: Sequence[Look], cards: list[Look]) -> bool:
    """One card for each that was seen from one side."""
    if not halves:
        return True
    first, *others = halves
    return any(
        all(face in (UNKNOWN, mine) for face, mine in zip(first, card, strict=True))
        and can_all_be(others, [*cards[:i], *cards[i + 1 :]])
        for i, card in enumerate(cards)
    )


def watch_shuffles(pairing: str, players: int) -> int:
    """Worlds of a crowded match, after every shuffle; how many there were with strays."""
    dice, met = Random(f"strays {pairing} {players}"), 0
    options = {"pairing": pairing, "own_backs": "hidden", "hand_size": 10, "target": 1_000_000}
    match = Match("classic", players, seed=f"strays {players}", options=options)
    watcher = Observer(match, dice.randrange(players))
    watcher.see_deal()
    for _ in range(250):
        if match.round.over:
            match.next_round()
            watcher.see_deal()
            continue
        side = match.round.side
        say_something(match, dice, eager=dice.random() < 0.6)
        watcher.see_move(side)
        if not watcher.shuffled or len(watcher.memory.pools) == 1 or dice.random() < 0.8:
            continue
        draft, settled = Belief(watcher.memory).draft(dice)
        world = watcher.memory.game.copy()
        settle(world, settled)
        deal_world(world, draft, dice.getrandbits(62))
        watcher.check(world)
        met += bool(watcher.memory.strays)
    return met


@pytest.mark.parametrize("pairing", ["printed", "shuffled"])
def test_what_was_in_the_discard_pile_is_in_no_hand_from_before(pairing: str) -> None:
    assert sum(watch_shuffles(pairing, players) for players in (3, 4)) > 10


def test_a_discard_that_is_dealt_to_a_hand_from_before_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    no_strays(monkeypatch)
    with pytest.raises(AssertionError, match="in a hand from before"):
        watch_shuffles("printed", 3)
