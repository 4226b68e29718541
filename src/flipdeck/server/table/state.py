"""A table as its entries make it: who sits where, the match, what happened.  Nothing here waits, asks or decides.

``apply`` takes one entry after the other; the same entries always give the same table, so a restart is a replay.
An entry that can't be applied would end its table for good: ``try_out`` finds out before it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from typing import Any

from ...core.cards import Seat
from ...core.events import Event, What
from ...core.match import Match
from ...core.seeds import commitment_of
from ...core.view import Phase
from ...wire.parts import BotLevel, Fairness, LastMatch, RoundInfo, Settings, TableInfo, TablePhase
from ..journal import Player, Replay
from ..names import unlike
from . import entries
from .entries import AnyEntry
from .seats import BOT_NAMES, Chair

MOST_MISSED = 400  # steps that are told again: as many as take 10 ms and 64 KiB at a table of ten
OUT_OF_TURN = ("uno", "catch ")  # moves that leave the decision of the player on turn as it is


class TableState:
    def __init__(self, made: entries.Made) -> None:
        self.code = made.code
        self.settings: Settings = made.settings
        self.seed = bytes.fromhex(made.seed)
        self.replay = made.replay
        self.chairs = [Chair() for _ in range(made.settings.seats)]
        for seat, level in made.bots.items():
            self.chairs[int(seat)] = self._bot(level, int(seat), made.host)
        self.host: Chair | None = None
        self.phase: TablePhase = "waiting"
        self.number = 1  # of the match
        self.match: Match | None = None
        self.rounds: list[RoundInfo] = []
        self.last: LastMatch | None = None
        self.version = 1
        self.since = 1  # the first version of this match: what came before it is not told again
        self.steps: list[tuple[int, Sequence[Event]]] = []  # hidden cards and all; redacted when shown
        self.deciding_since = 1  # the version since which the player on turn has had the same decision

    # ------------------------------------------------------------ reading
    @property
    def to_act(self) -> Seat | None:
        return None if self.match is None or self.phase != "playing" else self.match.to_act

    def seat_of(self, chair: Chair) -> int:
        return self.chairs.index(chair)

    def chair_with(self, token_hash: str, same: Callable[[str, str], bool]) -> Chair | None:
        return next((chair for chair in self.chairs if any(same(token_hash, mine) for mine in chair.tokens)), None)

    @property
    def players(self) -> list[Player]:
        """Who plays, by seat; somebody whom a bot stands in for is still a person."""
        return [Player(chair.name or "", chair.level if chair.kind == "bot" else None) for chair in self.chairs]

    def people(self) -> list[Chair]:
        return [chair for chair in self.chairs if chair.kind == "person"]

    def info(self, here: Iterable[Chair], watching: int, next_round_ms: int | None) -> TableInfo:
        present = set(here)
        over = self.phase == "over"
        return TableInfo(
            code=self.code,
            settings=self.settings,
            players=len(self.chairs),
            phase=self.phase,
            match=self.number,
            seats=[c.info(seat, c is self.host, c in present) for seat, c in enumerate(self.chairs)],
            watching=watching,
            fairness=Fairness(commitment_of(self.seed), self.seed.hex() if over else None),
            replay=self.replay if over else None,
            next_round_ms=next_round_ms,
            rounds=self.rounds,
            last=self.last,
        )

    def missed_since(self, have: int | None) -> list[tuple[int, Sequence[Event]]] | None:
        """What happened after a version, after 0 the end of this match so far; None if that can't be told."""
        if have is None or (have != 0 and not self.since <= have <= self.version):
            return None
        missed = [step for step in self.steps if step[0] > have]
        if have == 0:
            return missed[-MOST_MISSED:]
        return missed if len(missed) <= MOST_MISSED else None

    @property
    def to_keep(self) -> Replay | None:
        """The match, once it is over."""
        if self.phase != "over" or self.match is None:
            return None
        return Replay(self.replay, self.match.record(), self.players)

    # ------------------------------------------------------------ changing
    def try_out(self, entry: AnyEntry) -> Replay | None:
        """Raises what ``apply`` would raise, and changes nothing; the match to keep with the entry that ends it.

        A move is one that the rules have listed this very moment.  To try it as well would make all moves dearer by a
        twentieth, so that is done only where it may be the last of the match.
        """
        if isinstance(entry, entries.Moved) and self.match is not None and not self.match.may_end:
            return None
        after = self.tried(entry)
        return None if self.phase == "over" else after.to_keep

    def tried(self, entry: AnyEntry) -> TableState:
        """The table as an entry would make it; this one stays as it is."""
        twin = copy(self)
        twin.chairs = [chair.twin() for chair in self.chairs]
        twin.host = None if self.host is None else twin.chairs[self.seat_of(self.host)]
        twin.match = None if self.match is None else self.match.twin()
        twin.rounds, twin.steps = [*self.rounds], []
        twin.apply(entry)
        return twin

    def apply(self, entry: AnyEntry) -> Sequence[Event]:
        """The table one version later; what happened in the game."""
        self.version += 1
        if entry.cmd_id and entry.by >= 0:  # before anything is done: a seat that is taken away moves the others up
            self.chairs[entry.by].carried_out(entry.cmd_id, self.version)
        events: Sequence[Event] = _HANDLERS[type(entry)](self, entry) or ()
        if events:
            self.steps.append((self.version, events))
        return events

    def _sat(self, entry: entries.Sat) -> None:
        chair = Chair("person", entry.name, tokens=[entry.token])
        self.chairs[entry.seat] = chair
        self.host = self.host or chair

    def _bot_sat(self, entry: entries.BotSat) -> None:
        self.chairs[entry.seat] = self._bot(entry.level, entry.seat)

    def _bot(self, level: BotLevel, seat: int, host: str = "") -> Chair:
        """A bot with a name that nobody else here has; one that takes the place of a bot may have its name."""
        others = [host, *(chair.name or "" for at, chair in enumerate(self.chairs) if at != seat)]
        names = (BOT_NAMES[seat], *BOT_NAMES)
        own = next((name for name in names if unlike(name, others) == name), unlike(names[0], others))
        return Chair("bot", own, level, ready=True)

    def _cleared(self, entry: entries.Cleared) -> None:
        gone = self.chairs[entry.seat]
        self.chairs[entry.seat] = Chair()
        self._pass_host_on(gone, entry.seat)

    def _taken_away(self, entry: entries.TakenAway) -> None:
        del self.chairs[entry.seat]

    def _stood_in(self, entry: entries.StoodIn) -> None:
        chair = self.chairs[entry.seat]
        chair.level, chair.sits_in, chair.ready, chair.left = entry.level, True, True, entry.why == "left"
        if chair.left:
            self._pass_host_on(chair, entry.seat)

    def _returned(self, entry: entries.Returned) -> None:
        chair = self.chairs[entry.seat]
        chair.level, chair.sits_in, chair.left, chair.missed = None, False, False, 0
        self.host = self.host or chair

    def _token_added(self, entry: entries.TokenAdded) -> None:
        self.chairs[entry.seat].add_token(entry.token)

    def _started(self, _: entries.Started) -> Sequence[Event]:
        s = self.settings
        self.match = Match(s.edition, len(self.chairs), seed=self.seed, options=s.options)
        return self._dealt(self.match.history[-1].dealt)

    def _next_round(self, _: entries.NextRound) -> Sequence[Event]:
        assert self.match is not None  # noqa: S101  # written only between rounds
        return self._dealt(self.match.next_round())

    def _dealt(self, events: Sequence[Event]) -> Sequence[Event]:
        self.phase = "playing"
        self.deciding_since = self.version
        return events

    def _moved(self, entry: entries.Moved) -> Sequence[Event]:
        match, chair = self.match, self.chairs[entry.seat]
        assert match is not None  # noqa: S101  # written only while there is one
        if entry.who == "clock" and match.view(None).phase is not Phase.DRAWN:  # to keep the card is the same turn
            chair.missed += 1
        if entry.number >= 0:
            events = match.say_again(entry.seat, entry.move, entry.number)
        else:
            events = match.say(entry.seat, entry.move)
        if entry.who == "person":
            chair.missed = 0
        if not entry.move.startswith(OUT_OF_TURN) or _touched(events, match.to_act):
            self.deciding_since = self.version
        if match.to_act is None:
            done = match.round
            self.rounds.append(RoundInfo(done.number, done.winner, list(done.points), list(match.scores)))
            self.phase = "over" if match.over else "between"
            for each in self.chairs:
                each.ready = each.played_by_bot
        return events

    def _said_ready(self, entry: entries.SaidReady) -> None:
        self.chairs[entry.seat].ready = True

    def _rematched(self, entry: entries.Rematched) -> None:
        self.last = LastMatch(self.replay, commitment_of(self.seed), self.seed.hex())
        self.seed, self.replay = bytes.fromhex(entry.seed), entry.replay
        self.rounds = []
        self.phase, self.match = "waiting", None
        self.number += 1
        self.since, self.steps = self.version, []
        for chair in self.chairs:
            chair.missed = 0

    def _pass_host_on(self, gone: Chair, seat: int) -> None:
        """To the next person clockwise who has not left; whoever comes next, if nobody is there."""
        if self.host is gone:
            clockwise = self.chairs[seat + 1 :] + self.chairs[:seat]
            self.host = next((chair for chair in clockwise if chair.kind == "person" and not chair.left), None)


def _touched(events: Iterable[Event], seat: Seat | None) -> bool:
    """The player on turn drew cards for it, so there is more to choose from."""
    return any(event.what is What.DREW and event.seat == seat for event in events)


_HANDLERS: dict[type, Callable[[TableState, Any], Sequence[Event] | None]] = {
    entries.Sat: TableState._sat,
    entries.BotSat: TableState._bot_sat,
    entries.Cleared: TableState._cleared,
    entries.TakenAway: TableState._taken_away,
    entries.StoodIn: TableState._stood_in,
    entries.Returned: TableState._returned,
    entries.TokenAdded: TableState._token_added,
    entries.Started: TableState._started,
    entries.Moved: TableState._moved,
    entries.SaidReady: TableState._said_ready,
    entries.NextRound: TableState._next_round,
    entries.Rematched: TableState._rematched,
}


def replayed(bodies: Iterable[bytes]) -> TableState:
    """The table that these entries of the journal make."""
    made, *rest = map(entries.decode, bodies)
    if not isinstance(made, entries.Made):
        raise TypeError(f"a table begins with being made, not with {type(made).__name__}")
    state = TableState(made)
    for entry in rest:
        state.apply(entry)
    return state
