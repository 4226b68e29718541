"""The state of a table.  Nothing here waits, asks or decides, and only ``entries`` changes it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from copy import copy

from ...core.cards import Seat
from ...core.events import Event
from ...core.match import Match
from ...core.seeds import commitment_of
from ...wire.errors import TableRefusal
from ...wire.parts import BotLevel, Fairness, LastMatch, RoundInfo, Settings, TableInfo, TablePhase
from ..journal import ReplayPlayer, StoredReplay
from ..names import unlike
from .match_length import is_too_long
from .seats import BOT_NAMES, SeatState, TableBan

MOST_BANS = 200
MOST_MISSED = 400  # steps of a catch-up: as many as take 10 ms and 64 KiB at a table of ten


class TableState:
    def __init__(self, code: str, settings: Settings, seed: str, replay: str) -> None:
        self.code = code
        self.settings = settings
        self.seed = bytes.fromhex(seed)  # the secret of the match: its commitment is public, seats may add values to it
        self.replay = replay
        self.seats = [SeatState() for _ in range(settings.seats)]
        self.host: SeatState | None = None
        self.awaits_host = False  # the host has never been connected: nobody else has their rights
        self.locked = False  # no new people
        self.bans: list[TableBan] = []
        self.phase: TablePhase = "waiting"
        self.number = 1  # of the match
        self.named_dealer: int | None = None  # while it is starting: the first dealer whom the host has named
        self.match: Match | None = None
        self.rounds: list[RoundInfo] = []
        self.moves = 0  # of the match
        self.last: LastMatch | None = None
        self.version = 1
        self.since = 1  # the first version of this match: a catch-up never begins before it
        self.steps: list[tuple[int, Sequence[Event]]] = []  # the last ones, with hidden cards; redacted when shown
        self.steps_since = 1  # after this version none is missing
        self.deciding_since = 1  # the version since which the player on turn has had the same decision
        self.timed_since = 1  # … and the same clock: a draw and what becomes of the card have one (TURN-2)
        self.drawn = False  # the player on turn has drawn, and has to say what becomes of the card
        self.overdue = False  # … and the clock drew it: the time for saying so is over as well
        self.closed: str | None = None  # by the operator, with this word

    # ------------------------------------------------------------ reading
    @property
    def to_act(self) -> Seat | None:
        return None if self.match is None or self.phase != "playing" else self.match.to_act

    @property
    def commitment(self) -> str:
        return commitment_of(self.seed)

    @property
    def fairness(self) -> Fairness:
        """What proves the deal, as far as it may be shown: values with the deal, the secret when the match is over."""
        pledges = [seat_state.pledge for seat_state in self.seats]
        match = self.match
        if match is None:
            return Fairness(self.commitment, pledges=pledges)
        values = [match.values[seat].hex() if seat in match.values else None for seat in range(len(self.seats))]
        unopened = [seat for seat, pledge in enumerate(pledges) if pledge is not None and values[seat] is None]
        seed, secret = (match.seed.hex(), match.secret.hex()) if self.phase == "over" else (None, None)
        return Fairness(self.commitment, seed, secret, pledges, values, unopened)

    def as_last(self) -> LastMatch:
        """The match that is over, as it is shown after a rematch."""
        seed = self.seed if self.match is None else self.match.seed
        shown = self.fairness
        return LastMatch(
            self.replay, self.commitment, seed.hex(), self.seed.hex(), shown.pledges, shown.values, shown.unopened
        )

    @property
    def closed_refusal(self) -> TableRefusal | None:
        """What everybody is told once the operator has closed the table."""
        return None if self.closed is None else TableRefusal("closed-by-operator", word=self.closed)

    def check_open(self) -> None:
        if self.closed_refusal is not None:
            raise self.closed_refusal

    def seat_of(self, seat_state: SeatState) -> int:
        return self.seats.index(seat_state)

    @property
    def reserved(self) -> list[SeatState]:
        """Who takes over the seat of a bot with the next deal."""
        return [seat_state.next for seat_state in self.seats if seat_state.next is not None]

    def place_of(self, seat_state: SeatState) -> int | None:
        """The seat that somebody has, or has reserved."""
        return next((at for at, each in enumerate(self.seats) if seat_state in (each, each.next)), None)

    def seat_with_token(self, token_hash: str, same: Callable[[str, str], bool]) -> SeatState | None:
        """Whose token it is: of somebody with a seat, or with a reserved one."""
        return next(
            (each for each in (*self.seats, *self.reserved) if any(same(token_hash, mine) for mine in each.tokens)),
            None,
        )

    def is_banned(self, token: str | None, address: str) -> bool:
        """Whether the host has removed whoever has this token or comes from this address, both as hashes."""
        return any(token in ban.tokens or (address and address == ban.address and not ban.spared) for ban in self.bans)

    @property
    def players(self) -> list[ReplayPlayer]:
        """Who plays, by seat; somebody whom a bot stands in for is still a person."""
        return [
            ReplayPlayer(seat_state.name or "", seat_state.level if seat_state.kind == "bot" else None)
            for seat_state in self.seats
        ]

    @property
    def names(self) -> list[str]:
        """Of all who sit here or are to sit here; somebody whom a bot stands in for keeps theirs."""
        return [each.name for each in (*self.seats, *self.reserved) if each.name]

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
            locked=self.locked,
            awaits_host=self.awaits_host and self.host not in present,
            fairness=self.fairness,
            replay=self.replay if over else None,
            next_round_ms=next_round_ms,
            rounds=self.rounds,
            last=self.last,
        )

    def missed_since(self, have: int | None) -> list[tuple[int, Sequence[Event]]] | None:
        """The steps after a version (after 0: the latest of this match); None if they are no longer available."""
        if have is None or (have != 0 and not max(self.since, self.steps_since) <= have <= self.version):
            return None
        return [step for step in self.steps if step[0] > have]

    @property
    def may_be_too_long(self) -> bool:
        """Whether the next move may end the match by its length."""
        return is_too_long(len(self.rounds) + 1, self.moves + 1)

    @property
    def to_keep(self) -> StoredReplay | None:
        """The replay to store, once the match is over."""
        if self.phase != "over" or self.match is None:
            return None
        return StoredReplay(self.replay, self.match.record(), self.players)

    # ------------------------------------------------------------ for entries
    def add_step(self, events: Sequence[Event]) -> None:
        """What has happened with this version."""
        if len(self.steps) == MOST_MISSED:
            self.steps_since = self.steps.pop(0)[0]
        self.steps.append((self.version, events))

    def note_command(self, by: int, cmd_id: str) -> None:
        """A command of a seat became the present version.  Whoever gives one is connected, the host too."""
        seat_state = self.seats[by]
        seat_state.note_done(cmd_id, self.version)
        seat_state.awaits_greeting = False
        if seat_state is self.host:
            self.awaits_host = False

    def keep_seats(self) -> None:
        """The match begins: no seat of it lapses any more."""
        for seat_state in self.seats:
            seat_state.awaits_greeting = False

    def ban(self, ban: TableBan) -> None:
        self.bans = [*self.bans, ban][-MOST_BANS:]

    def give_reserved(self, takes: Collection[int]) -> None:
        """These seats of bots are taken over; other reservations are void."""
        for seat, seat_state in enumerate(self.seats):
            newcomer, seat_state.next = seat_state.next, None
            if newcomer is not None and seat in takes:
                self.seats[seat] = newcomer
                self.host = self.host or newcomer

    def withdraw_votes(self, voter: int) -> None:
        for seat_state in self.seats:
            seat_state.votes = [seat for seat in seat_state.votes if seat != voter]

    def twin(self) -> TableState:
        """A copy to try an entry out on; it starts without the steps."""
        twin = copy(self)
        twin.seats = [seat_state.twin() for seat_state in self.seats]
        twin.host = None if self.host is None else twin.seats[self.seat_of(self.host)]
        twin.match = None if self.match is None else self.match.twin()
        twin.rounds, twin.steps = [*self.rounds], []
        return twin

    def seat_bot(self, seat: int, level: BotLevel, host: str = "") -> None:
        """A bot with a name that nobody else here has; one that replaces a bot may take its name."""
        others = [host, *(seat_state.name or "" for at, seat_state in enumerate(self.seats) if at != seat)]
        names = (BOT_NAMES[seat], *BOT_NAMES)
        own = next((name for name in names if unlike(name, others) == name), unlike(names[0], others))
        self.seats[seat] = SeatState("bot", own, level, ready=True)

    def pass_host_on(self, gone: SeatState, seat: int) -> None:
        """To the next person clockwise who has not left; if there is none, to whoever comes next."""
        if self.host is gone:
            clockwise = self.seats[seat + 1 :] + self.seats[:seat]
            self.host = next((seat_state for seat_state in clockwise if _can_be_host(seat_state)), None)

    def end_round(self, match: Match) -> None:
        done = match.round
        self.rounds.append(RoundInfo(done.number, done.winner, list(done.points), list(match.scores)))
        self.phase = "over" if match.over or is_too_long(len(self.rounds), self.moves) else "between"
        for seat_state in self.seats:
            seat_state.ready = seat_state.played_by_bot
            seat_state.votes = []


def _can_be_host(seat_state: SeatState) -> bool:
    return seat_state.kind == "person" and not seat_state.left and not seat_state.voted_out
