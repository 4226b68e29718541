"""The state of a table, built from its entries.  Nothing here waits, asks or decides.

``apply`` is deterministic: the same entries give the same table, so that a restart is a replay.  An entry that can't be
applied would break its table for good: ``try_out`` finds out before it is committed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from typing import assert_never

from ...core.cards import Seat
from ...core.events import Event, What
from ...core.match import Match
from ...core.notation import OUT_OF_TURN, Draw
from ...core.seeds import commitment_of
from ...wire.parts import BotLevel, Fairness, LastMatch, RoundInfo, Settings, TableInfo, TablePhase
from ..journal import ReplayPlayer, StoredReplay
from ..names import unlike
from . import entries
from .entries import AnyEntry
from .seats import BOT_NAMES, SeatState

MOST_MISSED = 400  # steps of a catch-up: as many as take 10 ms and 64 KiB at a table of ten
MOST_MOVES = 2000  # of a round, and then it is void (PILE-4): no table plays for ever
_DRAW = str(Draw())


class TableState:
    def __init__(self, made: entries.Made) -> None:
        self.code = made.code
        self.settings: Settings = made.settings
        self.seed = bytes.fromhex(made.seed)
        self.replay = made.replay
        self.seats = [SeatState() for _ in range(made.settings.seats)]
        for seat, level in made.bots.items():
            self.seats[int(seat)] = self._bot(level, int(seat), made.host)
        self.host: SeatState | None = None
        self.phase: TablePhase = "waiting"
        self.number = 1  # of the match
        self.match: Match | None = None
        self.rounds: list[RoundInfo] = []
        self.last: LastMatch | None = None
        self.version = 1
        self.since = 1  # the first version of this match: a catch-up never begins before it
        self.steps: list[tuple[int, Sequence[Event]]] = []  # with hidden cards; redacted when shown
        self.deciding_since = 1  # the version since which the player on turn has had the same decision
        self.timed_since = 1  # … and the same clock: a draw and what becomes of the card have one (TURN-2)
        self.drawn = False  # the player on turn has drawn, and has to say what becomes of the card
        self.overdue = False  # … and the clock drew it: the time for saying so is over as well

    # ------------------------------------------------------------ reading
    @property
    def to_act(self) -> Seat | None:
        return None if self.match is None or self.phase != "playing" else self.match.to_act

    def seat_of(self, seat_state: SeatState) -> int:
        return self.seats.index(seat_state)

    def seat_with_token(self, token_hash: str, same: Callable[[str, str], bool]) -> SeatState | None:
        return next(
            (seat_state for seat_state in self.seats if any(same(token_hash, mine) for mine in seat_state.tokens)), None
        )

    @property
    def players(self) -> list[ReplayPlayer]:
        """Who plays, by seat; somebody whom a bot stands in for is still a person."""
        return [
            ReplayPlayer(seat_state.name or "", seat_state.level if seat_state.kind == "bot" else None)
            for seat_state in self.seats
        ]

    def people(self) -> list[SeatState]:
        return [seat_state for seat_state in self.seats if seat_state.kind == "person"]

    def info(self, here: Iterable[SeatState], watching: int, next_round_ms: int | None) -> TableInfo:
        present = set(here)
        over = self.phase == "over"
        return TableInfo(
            code=self.code,
            settings=self.settings,
            players=len(self.seats),
            phase=self.phase,
            match=self.number,
            seats=[c.info(seat, c is self.host, c in present) for seat, c in enumerate(self.seats)],
            watching=watching,
            fairness=Fairness(commitment_of(self.seed), self.seed.hex() if over else None),
            replay=self.replay if over else None,
            next_round_ms=next_round_ms,
            rounds=self.rounds,
            last=self.last,
        )

    def missed_since(self, have: int | None) -> list[tuple[int, Sequence[Event]]] | None:
        """The steps after a version (after 0: the latest of this match); None if they are no longer available."""
        if have is None or (have != 0 and not self.since <= have <= self.version):
            return None
        missed = [step for step in self.steps if step[0] > have]
        if have == 0:
            return missed[-MOST_MISSED:]
        return missed if len(missed) <= MOST_MISSED else None

    @property
    def to_keep(self) -> StoredReplay | None:
        """The replay to store, once the match is over."""
        if self.phase != "over" or self.match is None:
            return None
        return StoredReplay(self.replay, self.match.record(), self.players)

    # ------------------------------------------------------------ changing
    def try_out(self, entry: AnyEntry) -> StoredReplay | None:
        """Raise what ``apply`` would raise, and change nothing; the replay to store with the entry that ends a match.

        A move was found legal just now.  Trying it as well would make all moves a twentieth slower, so that is done
        only where it may end the match.
        """
        if isinstance(entry, entries.Moved) and self.match is not None and not self.match.may_end:
            return None
        after = self.tried(entry)
        return None if self.phase == "over" else after.to_keep

    def tried(self, entry: AnyEntry) -> TableState:
        """A copy of the table with the entry applied."""
        twin = copy(self)
        twin.seats = [seat_state.twin() for seat_state in self.seats]
        twin.host = None if self.host is None else twin.seats[self.seat_of(self.host)]
        twin.match = None if self.match is None else self.match.twin()
        twin.rounds, twin.steps = [*self.rounds], []
        twin.apply(entry)
        return twin

    def apply(self, entry: AnyEntry) -> Sequence[Event]:
        """Apply an entry: the next version, and the events of the game."""
        self.version += 1
        if entry.cmd_id and entry.by >= 0:  # before the entry is applied: removing a seat renumbers the others
            self.seats[entry.by].carried_out(entry.cmd_id, self.version)
        events = self._apply(entry)
        if events:
            self.steps.append((self.version, events))
        return events

    def _apply(self, entry: AnyEntry) -> Sequence[Event]:  # noqa: C901  # one line a kind of entry
        match entry:
            case entries.Moved():
                return self._moved(entry)
            case entries.Sat():
                self._sat(entry)
            case entries.BotSat():
                self._bot_sat(entry)
            case entries.Cleared():
                self._cleared(entry)
            case entries.TakenAway():
                self._taken_away(entry)
            case entries.StoodIn():
                self._stood_in(entry)
            case entries.Returned():
                self._returned(entry)
            case entries.TokenAdded():
                self._token_added(entry)
            case entries.Started():
                return self._started(entry)
            case entries.SaidReady():
                self._said_ready(entry)
            case entries.NextRound():
                return self._next_round()
            case entries.Rematched():
                self._rematched(entry)
            case entries.Made():
                raise TypeError("a table is made once, by its first entry")
            case _:
                assert_never(entry)
        return ()

    def _sat(self, entry: entries.Sat) -> None:
        seat_state = SeatState("person", entry.name, tokens=[entry.token])
        self.seats[entry.seat] = seat_state
        self.host = self.host or seat_state

    def _bot_sat(self, entry: entries.BotSat) -> None:
        self.seats[entry.seat] = self._bot(entry.level, entry.seat)

    def _bot(self, level: BotLevel, seat: int, host: str = "") -> SeatState:
        """A bot with a name that nobody else here has; one that replaces a bot may take its name."""
        others = [host, *(seat_state.name or "" for at, seat_state in enumerate(self.seats) if at != seat)]
        names = (BOT_NAMES[seat], *BOT_NAMES)
        own = next((name for name in names if unlike(name, others) == name), unlike(names[0], others))
        return SeatState("bot", own, level, ready=True)

    def _cleared(self, entry: entries.Cleared) -> None:
        gone = self.seats[entry.seat]
        self.seats[entry.seat] = SeatState()
        self._pass_host_on(gone, entry.seat)

    def _taken_away(self, entry: entries.TakenAway) -> None:
        del self.seats[entry.seat]

    def _stood_in(self, entry: entries.StoodIn) -> None:
        seat_state = self.seats[entry.seat]
        seat_state.level, seat_state.sits_in, seat_state.ready, seat_state.left = (
            entry.level,
            True,
            True,
            entry.why == "left",
        )
        if seat_state.left:
            self._pass_host_on(seat_state, entry.seat)

    def _returned(self, entry: entries.Returned) -> None:
        seat_state = self.seats[entry.seat]
        seat_state.level, seat_state.sits_in, seat_state.left, seat_state.missed = None, False, False, 0
        self.host = self.host or seat_state

    def _token_added(self, entry: entries.TokenAdded) -> None:
        self.seats[entry.seat].add_token(entry.token)

    def _started(self, entry: entries.Started) -> Sequence[Event]:
        s, options = self.settings, {**self.settings.options, "most_moves": MOST_MOVES}
        self.match = Match(s.edition, len(self.seats), seed=self.seed, options=options, dealer=entry.dealer)
        return self._dealt(self.match.history[-1].dealt)

    def _next_round(self) -> Sequence[Event]:
        assert self.match is not None  # noqa: S101  # written only between rounds
        return self._dealt(self.match.next_round())

    def _dealt(self, events: Sequence[Event]) -> Sequence[Event]:
        self.phase = "playing"
        self.deciding_since = self.timed_since = self.version
        return events

    def _moved(self, entry: entries.Moved) -> Sequence[Event]:
        match, seat_state = self.match, self.seats[entry.seat]
        assert match is not None  # noqa: S101  # written only while there is one
        if entry.who == "clock" and not self.overdue:  # keeping what the clock drew belongs to the same turn
            seat_state.missed += 1
        if entry.number >= 0:
            events = match.say_again(entry.seat, entry.move, entry.number)
        else:
            events = match.say(entry.seat, entry.move)
        if entry.who == "person":
            seat_state.missed = 0
        self._set_decision(entry, events, match.to_act)
        if match.to_act is None:
            done = match.round
            self.rounds.append(RoundInfo(done.number, done.winner, list(done.points), list(match.scores)))
            self.phase = "over" if match.over else "between"
            for each in self.seats:
                each.ready = each.played_by_bot
        return events

    def _set_decision(self, entry: entries.Moved, events: Sequence[Event], to_act: Seat | None) -> None:
        """What the player on turn decides, and since when; whether a drawn card fits makes no difference (SEE-2)."""
        on_turn = not entry.move.startswith(OUT_OF_TURN)
        if on_turn:
            self.drawn = entry.move == _DRAW and to_act == entry.seat  # a pass ends the turn (PILE-2)
            self.overdue = self.drawn and entry.who == "clock"
        if on_turn or _touched(events, to_act):
            self.deciding_since = self.version
            if not self.drawn:
                self.timed_since = self.version

    def _said_ready(self, entry: entries.SaidReady) -> None:
        self.seats[entry.seat].ready = True

    def _rematched(self, entry: entries.Rematched) -> None:
        self.last = LastMatch(self.replay, commitment_of(self.seed), self.seed.hex())
        self.seed, self.replay = bytes.fromhex(entry.seed), entry.replay
        self.rounds = []
        self.phase, self.match = "waiting", None
        self.number += 1
        self.since, self.steps = self.version, []
        for seat_state in self.seats:
            seat_state.missed = 0

    def _pass_host_on(self, gone: SeatState, seat: int) -> None:
        """To the next person clockwise who has not left; if there is none, to whoever comes next."""
        if self.host is gone:
            clockwise = self.seats[seat + 1 :] + self.seats[:seat]
            self.host = next(
                (seat_state for seat_state in clockwise if seat_state.kind == "person" and not seat_state.left), None
            )


def _touched(events: Iterable[Event], seat: Seat | None) -> bool:
    """The player on turn drew cards, so there is more to choose from."""
    return any(event.what is What.DREW and event.seat == seat for event in events)


def replayed(bodies: Iterable[bytes]) -> TableState:
    """Replay the entries of a journal."""
    made, *rest = map(entries.decode, bodies)
    if not isinstance(made, entries.Made):
        raise TypeError(f"a table begins with being made, not with {type(made).__name__}")
    state = TableState(made)
    for entry in rest:
        state.apply(entry)
    return state
