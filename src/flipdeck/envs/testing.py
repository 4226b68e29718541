"""Tests that whoever builds on these environments can run: ``leak_test(env)``.

At every step, for every seat, all that the seat can't know is redrawn.  Its observation, its mask, its info, and
whether a seat is asked must not change.  Then what everybody else gets is compared after two different draws.
"""

from __future__ import annotations

from random import Random
from typing import Any, Protocol

from ..bulk import twin
from ..bulk.arrays import np
from ..bulk.playing import start_match, start_next_round
from ..core.rules.hands import index_faces
from ..core.rules.moves import KEEP, MAX_MOVES, TAKE, WHAT_BITS
from ..core.rules.turn import apply
from ..core.state import DRAWN, OVER, Game
from .batch import EPISODE, GameBatch
from .compiled.actions import list_choices, seat_to_ask
from .compiled.episode import LEARNER, RUNNING, Episode
from .compiled.events import CARD
from .compiled.knowing import count_pile, sort_faces
from .witness import SeatWitness, redrawn, renumbered_set


class LeakFound(AssertionError):  # noqa: N818  # what it is called where it is caught
    """A seat was told what it can't know."""


class TestedEnv(Protocol):
    """An environment that can be tested: one game of a batch, and all that a seat is told of it."""

    batch: GameBatch

    def told(self, seat: int) -> Any:
        """The observation, mask and info of a seat, as the environment hands them out."""


def leak_test(env: Any, steps: int = 200, seed: int = 0) -> int:
    """Play so many random steps and raise ``LeakFound`` where a seat is told what it can't know; the comparisons.

    ``env`` is an environment of this package, wrapped or not, or a ``GameBatch`` that keeps its words.
    """
    watched: Any = _TestedBatch(env) if isinstance(env, GameBatch) else getattr(env, "unwrapped", env)
    dice = Random(seed)  # noqa: S311
    test = _LeakTest(watched, dice)
    compared = 0
    for number in range(steps):
        if number == 0 or not test.batch.running[0]:
            test.begin(seed + number)
            compared += test.compare_all()
        else:
            action = test.any_action()
            compared += test.compare_draws(action)
            test.go_on(action)
            compared += test.compare_all()
    return compared


class _TestedBatch:
    def __init__(self, batch: GameBatch) -> None:
        self.batch = batch

    def told(self, seat: int) -> Any:
        return self.batch.seen_by(seat)


class _LeakTest:
    def __init__(self, watched: TestedEnv, dice: Random) -> None:
        self.watched, self.batch, self.dice = watched, watched.batch, dice
        self.batch.games["logging"] = 1
        self.strict = not self.batch.episodes["inside"][0]
        self.seats = range(self.batch.players)
        self.beside, self.words = Game(), 0
        self.witnesses: list[SeatWitness] = []

    # ------------------------------------------------------------ play
    def begin(self, seed: int) -> None:
        self.batch.seed([seed])
        self.batch.deal()
        g = self._dealt()
        own_backs = bool(self.batch.episodes["own_backs"][0])
        self.beside, self.words = g, 0
        self.witnesses = [SeatWitness(g, seat, own_backs) for seat in self.seats]
        self._follow()

    def _dealt(self) -> Game:
        """The game as it was dealt: before the first question, policies may have played."""
        g = self.batch.rules.setting().game()
        e = self.batch.episodes[0]
        start_match(g, e["run_key"].tolist(), int(e["number"]))
        return g

    def any_action(self) -> int:
        allowed = np.flatnonzero(self.batch.masks[0]).tolist()
        plays = [action for action in allowed if action < 60]
        return int(self.dice.choice(plays if plays and self.dice.random() < 0.6 else allowed))

    def go_on(self, action: int) -> None:
        self.batch.step(np.array([action]))
        self._follow()

    def _follow(self) -> None:
        """Let the witnesses see every word since the last look, also those played inside."""
        said = self.batch.words_of(0, int(self.batch.episodes["number"][0]))
        for seat, move in said[self.words :]:
            if self.beside.phase == OVER:
                start_next_round(self.beside)
                self._let_see(new_round=True)
            apply(self.beside, seat, move)
            self._let_see()
        self.words = len(said)
        if self.beside.phase == OVER and self.batch.running[0]:
            start_next_round(self.beside)
            self._let_see(new_round=True)

    def _let_see(self, new_round: bool = False) -> None:
        for witness in self.witnesses:
            if new_round:
                witness.slots.clear()
            witness.see(self.beside)

    # ------------------------------------------------------------ compare
    def compare_all(self) -> int:
        if not self.batch.running[0]:
            return 0
        for witness in self.witnesses:
            before = self._told(witness.seat)
            kept = self._save()
            self._redraw(witness)
            after = self._told(witness.seat)
            self._restore(kept)
            _compare(before, after, f"seat {witness.seat} is told what it can't know")
        return len(self.witnesses)

    def compare_draws(self, action: int) -> int:
        """Before a draw: let the drawn card be another one, and compare what everybody else gets after it was kept."""
        e, g = self.batch.episodes[0], twin.from_record(self.batch.games[0])
        drawer, choices = g.turn, e["choices"]
        move = int(e["moves"][e["actions"][:choices].tolist().index(action)])
        if (
            move & WHAT_BITS != TAKE
            or g.stock_size < 20
            or g.draw_until_playable
            or g.forced_play
            or e["asked"] != drawer
        ):
            return 0  # how long somebody draws, and a card that must be played, are public
        others = [seat for seat in self.seats if seat != drawer]
        kept = self._save()
        told, moments, again = [], set(), False
        for face in (None, self.dice.randrange(8)):
            if face is not None:
                top, deep = g.stock[g.stock_size - 1], g.stock[face]
                faces = self.batch.games["faces"][0]
                faces[[g.side + top, g.side + deep]] = faces[[g.side + deep, g.side + top]]
                self._reindex()
            self.batch.step(np.array([action]))
            self._keep_drawn(drawer)
            told.append([self._told(seat) for seat in others] if self.batch.running[0] else [])
            moments.add(int(e["words"]))
            again |= self._spoke_again(drawer)
            self._restore(kept)
        if again or (len(moments) > 1 and not self.strict):
            return 0  # the drawer was asked once more, or moved: the two are not at the same moment
        if len(told[0]) != len(told[1]):
            raise LeakFound(f"the end tells whether a card that seat {drawer} has drawn fits")
        for seat, before, after in zip(others, *told, strict=False):
            _compare(before, after, f"seat {seat} is told whether a card that seat {drawer} has drawn fits")
        return len(told[0])

    def _spoke_again(self, drawer: int) -> bool:
        """After the draw and the keep, the drawer has moved once more, inside: that may depend on the drawn card."""
        said = self.batch.words_of(0, int(self.batch.episodes["number"][0]))[self.words :]
        return [seat for seat, _ in said].count(drawer) > 2

    def _keep_drawn(self, drawer: int) -> None:
        e, g = self.batch.episodes[0], self.batch.games[0]
        while e["done"] == RUNNING and g["phase"] == DRAWN and g["turn"] == drawer:
            moves = e["moves"][: e["choices"]].tolist()
            keeps = KEEP if e["asked"] == drawer else -1
            self.batch.step(np.array([e["actions"][moves.index(keeps)]]))

    def _told(self, seat: int) -> Any:
        """What a seat is told, and whether it is asked; who is asked, where nothing is played inside."""
        asked = int(self.batch.seats[0])
        return self.watched.told(seat), asked if self.strict else asked == seat

    # ------------------------------------------------------------ other worlds
    def _save(self) -> tuple[Any, ...]:
        batch = self.batch
        return batch.games.copy(), batch.episodes.copy(), batch._history.copy(), batch._said.copy()

    def _restore(self, kept: tuple[Any, ...]) -> None:
        batch = self.batch
        for array, before in zip((batch.games, batch.episodes, batch._history, batch._said), kept, strict=True):
            array[:] = before
        batch.look()

    def _redraw(self, witness: SeatWitness) -> None:
        """Put another world in the place of this one: the witness can't tell them apart."""
        batch = self.batch
        slots = witness.ever if batch.rules.observation == "history" else witness.slots
        other, new = redrawn(twin.from_record(batch.games[0]), slots, self.dice)
        twin.to_record(other, batch.games[0])
        cards = batch._history[0, : batch.episodes["events"][0], CARD]
        cards[:] = [new[card] if card >= 0 else card for card in cards]
        known = batch.episodes["known"][0]
        for at in range(0, 2 * batch.players, 2):
            known[at], known[at + 1] = renumbered_set(int(known[at]), int(known[at + 1]), new)
        self._reindex()

    def _reindex(self) -> None:
        """What an episode derives from its game, anew: who is asked, and what they may do."""
        batch = self.batch
        g, e = twin.from_record(batch.games[0]), _episode_of(batch.episodes[0])
        index_faces(g)
        sort_faces(g, e)
        e.piled = 0
        count_pile(g, e)
        if e.done == RUNNING:
            seat = seat_to_ask(g, e)
            if self.strict or e.drivers[seat] == LEARNER and seat == e.asked:
                e.asked = seat
                e.choices = list_choices(g, e, seat, [0] * MAX_MOVES)
        twin.to_record(g, batch.games[0])
        twin.to_record(e, batch.episodes[0])
        batch.look()


def _episode_of(record: Any) -> Episode:
    return Episode(**{name: record[name].tolist() for name in EPISODE.names or ()})


def _compare(before: Any, after: Any, sentence: str) -> None:
    difference = _difference(before, after, "")
    if difference is not None:
        raise LeakFound(f"{sentence}: {difference} depends on it")


def _difference(one: Any, other: Any, path: str) -> str | None:
    """Where two things differ, by the names and numbers that lead there."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        parts = [_difference(one[name], other[name], f"{path} {name}") for name in one]
    elif isinstance(one, (tuple, list)) and type(one) is type(other) and len(one) == len(other):
        parts = [_difference(*pair, path) for pair in zip(one, other, strict=True)]
    elif isinstance(one, np.ndarray) and isinstance(other, np.ndarray) and one.shape == other.shape:
        at = np.argwhere(one != other)
        parts = [f"{path} {at[0].tolist()}".strip()] if len(at) else []
    else:
        parts = [] if type(one) is type(other) and one == other else [path.strip() or "who is asked"]
    return next((part for part in parts if part is not None), None)
