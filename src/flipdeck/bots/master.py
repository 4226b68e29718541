"""The Master: information-set Monte Carlo tree search over determinizations, with sequential halving at the root.

``belief`` samples worlds (determinizations) that agree with all the seat has seen.  In each of them every move is tried
with the same random numbers: down a tree that all worlds share (``bulk.ismcts``), then a rollout by steady players.
With two seats the net gives priors and values.  After each stage the worse half of the moves is dropped (Karnin, Koren,
Somekh 2013), so that time goes to those that may still be best.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log2
from time import perf_counter

from ..bulk.arrays import np
from ..bulk.evaluation import WIN
from ..bulk.features import LET_GO
from ..bulk.searching import Search, start_tree, try_moves
from ..bulk.twin import to_record
from ..core.codes import DARK
from ..core.notation import Catch, Move, SayUno
from ..core.reading import moves_of
from ..core.state import Game
from ..core.view import View
from .belief.memory import Memory
from .belief.sampler import TRIES, Belief
from .levels import LEVELS
from .net import open_cards, shipped_net
from .player import worth_trying

BUDGET = LEVELS["master"].seconds  # a move
PRICE = 1500  # of a decision, in millionths of a win: a player who can win now should not wait
LATE = 15_000  # … and to everybody when it gets late in a round: nobody holds out for ever
NET_SEATS = 2  # where the net helps: one of 4 against Regulars won 42 of 100 rounds with it, 48 without
SLICE = 0.004  # seconds between looks at the clock
FIRST = 8  # worlds before the first look
WORLDS_PER_PLAN = 128  # where some places have to be drawn first
WORLDS_IF_AMBIGUOUS = 16  # … and where nobody knows which card is which


@dataclass(frozen=True, slots=True)
class Tried:
    """A move and its estimates: the chance to win, the value (chance less the price of time), the number of worlds."""

    move: Move | None
    chance: float
    value: float
    worlds: int


class Master:
    """Sharp and Master: one search, with a fixed number of worlds or a time budget."""

    def __init__(
        self, seconds: float = BUDGET, worlds: int | None = None, name: str = "master", *, weighs: bool = True
    ) -> None:
        """``worlds`` instead of ``seconds`` gives the same answer on every machine.

        ``weighs``: with two seats, use the net.
        """
        self.name = name
        self.seconds = seconds
        self.worlds = worlds
        self.weighs = weighs
        self._search: Search | None = None

    def choose(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move:
        started = perf_counter()
        word = call_out(view, legal)
        if word is not None:
            return word
        moves = worth_trying(legal, view)
        if len(moves) == 1:
            return moves[0]
        best = self.tried(memory, moves, rng, started)[0].move
        assert best is not None  # noqa: S101  # on turn there is no letting go
        return best

    def interrupt(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move | None:
        started = perf_counter()
        word = call_out(view, legal)
        if word is not None:
            return word
        return self.tried(memory, [*worth_trying(legal, view), None], rng, started)[0].move

    def close(self) -> None:
        pass

    # ------------------------------------------------------------ searching
    def tried(
        self, memory: Memory, moves: Sequence[Move | None], rng: random.Random, started: float | None = None
    ) -> list[Tried]:
        """All moves, the best first; those dropped early come after the others."""
        search = self._workspace(memory)
        numbers = moves_of(memory.game, memory.seat, memory.options.own_backs)
        trial = Trial(search, memory, [LET_GO if move is None else numbers[move] for move in moves], rng)
        stages = max(1, ceil(log2(len(moves))))
        begun = perf_counter() if started is None else started
        ranks: list[int] = []
        for stage in range(stages):
            if self.worlds is None:
                trial.run_until(begun + self.seconds * (stage + 1) / stages)
            else:
                trial.run(max(1, self.worlds // stages))
            ranks = trial.halve() + ranks
        order = trial.ranking() + ranks
        return [Tried(moves[i], trial.chance(i), trial.value(i), int(trial.counts[i])) for i in order]

    def _workspace(self, memory: Memory) -> Search:
        players = memory.game.players
        if self._search is None or len(self._search.policies) != players:
            weighs = self.weighs and players == NET_SEATS
            self._search = Search(players, shipped_net().weights if weighs else None)
        return self._search


class Trial:
    """The moves of one decision, tried in the same worlds with the same random numbers (common random numbers)."""

    def __init__(self, search: Search, memory: Memory, moves: Sequence[int], rng: random.Random) -> None:
        self._search = search
        self._memory = memory
        self._rng = rng
        self._rng_state = rng.getrandbits(62)
        self._moves = np.array(moves, np.int64)
        self._live = np.ones(len(moves), np.int64)
        self._sums, self._wins = np.zeros(len(moves), np.int64), np.zeros(len(moves), np.int64)
        self.counts = np.zeros(len(moves), np.int64)
        self._belief = Belief(memory)
        search.scales.known[:] = open_cards(memory)
        late = int(LATE * lateness(memory.game))
        tree = search.nodes, search.trails, memory.seat, who_chooses(memory), len(moves)
        start_tree(*tree, PRICE, late, search.weighs)
        self._planned = False
        self._rate = 0.0  # seconds a world and move

    def run_until(self, end: float) -> None:
        """A machine that stalls may have no time left at all: even then a few worlds are tried, or it chose blindly."""
        while (now := perf_counter()) < end or self._rate == 0:
            live = max(1, int(self._live.sum()))
            room = min(end - now, SLICE)
            count = FIRST if self._rate == 0 else max(1, int(room / (self._rate * live)))
            self.run(count)
            took = perf_counter() - now
            self._rate = took / (count * live)

    def run(self, count: int) -> None:
        """Try the live moves in ``count`` more worlds."""
        while count > 0:
            most = WORLDS_IF_AMBIGUOUS if self._memory.ambiguities else WORLDS_PER_PLAN
            now = count if self._belief.certain else min(count, most)
            self._plan_deal()
            s = self._search
            places = (s.base, s.plan, s.scratch, self._moves, self._live, s.policies, s.out, now)
            found = self._sums, self._wins, s.nodes, s.trails
            self._rng_state = try_moves(*places, *found, s.scales, self._rng_state)
            self.counts += now * self._live
            count -= now

    def _plan_deal(self) -> None:
        if self._planned and self._belief.certain:
            return
        s, g = self._search, self._memory.game
        plan, placed = self._belief.plan(self._rng, TRIES)
        to_record(plan, s.plan[0])
        if not self._planned:
            to_record(g, s.base[0])
            self._planned = True
        for place, front, back in placed:
            s.base[0]["faces"][g.side + place], s.base[0]["faces"][DARK - g.side + place] = front, back

    def value(self, i: int) -> float:
        return float(self._sums[i] / (WIN * max(1, self.counts[i])))

    def chance(self, i: int) -> float:
        return float(self._wins[i] / (WIN * max(1, self.counts[i])))

    def ranking(self) -> list[int]:
        """The live moves, best first."""
        live = [i for i in range(len(self._moves)) if self._live[i]]
        return sorted(live, key=self.value, reverse=True)

    def halve(self) -> list[int]:
        """Drop the worse half of the live moves; the result: those dropped, best first.  One move always stays."""
        order = self.ranking()
        worse = order[(len(order) + 1) // 2 :]
        self._live[worse] = 0
        return worse


def lateness(g: Game) -> float:
    """0 until half of the draw pile is gone, then growing: 1 at the first reshuffle, and 1 more at each further one.

    BOTS.md says how long rounds of two Masters are.  With a price from the first reshuffle only, and without the net,
    they took a third longer.
    """
    gone = 1 - g.stock_size / (g.deck - g.hand_size * g.players)
    return g.reshuffles + max(0.0, 2 * gone - 1)


def who_chooses(memory: Memory) -> int:
    """The seats, as a bit set, that choose in the tree by UCB; the others play by the steady heuristic.

    Measured at 500 worlds a move, with full rollouts: with 2 seats a tree for both beats none in 65 of 100 rounds.
    With 4 it credits the other three with too much: one against Regulars won 40 of 100 with a tree for all, 46 with
    none, 47 with a tree for its own moves.
    """
    return 0b11 if memory.game.players == 2 else 1 << memory.seat


def call_out(view: View, legal: Sequence[Move]) -> Move | None:
    """A call that costs nothing: saying UNO, or catching a player who has not."""
    for move in legal:
        if isinstance(move, SayUno) or (isinstance(move, Catch) and move.seat in view.catchable):
            return move
    return None
