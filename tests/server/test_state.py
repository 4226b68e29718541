"""A table is what its entries make it: whatever is decided can be carried out, and read from the journal again."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import astuple, replace
from typing import Any, get_args

import pytest
from msgspec.structs import replace as replace_fields

from flipdeck.core import editions
from flipdeck.core.seeds import pledge_of
from flipdeck.server.names import unlike
from flipdeck.server.table import entries
from flipdeck.server.table.decide import decide
from flipdeck.server.table.entries import AnyEntry
from flipdeck.server.table.requests import (
    BotSays,
    CloseDown,
    CountVotes,
    DealFirst,
    DealNext,
    Lapse,
    LiftBans,
    MoveSeat,
    NoteGreeting,
    NoteHost,
    Request,
    Return,
    Sit,
    StandIn,
    TimeUp,
)
from flipdeck.server.table.seats import BOT_NAMES, SeatState
from flipdeck.server.table.state import TableState
from flipdeck.wire import client_messages
from flipdeck.wire.errors import TableRefusal
from flipdeck.wire.parts import BotLevel, Settings, TablePhase

LEVELS: tuple[BotLevel, ...] = get_args(BotLevel)
NAMES = (*BOT_NAMES, "alba", "BRUNO", "Ａｌｂａ", "Ann", "Ben")
REQUESTS = 500
LAST_REQUESTS = 5  # when the operator has closed the table
SEEDS = 16


def made(
    seats: int = 4, bots: dict[str, BotLevel] | None = None, host: str = "", target: int = 500, **settings: Any
) -> entries.Made:
    kept = Settings(seats=seats, options={"hand_size": 2, "target": target}, **settings)
    return entries.Made(code="T", settings=kept, seed="17" * 32, replay="first", bots=bots or {}, host=host)


def sat(seat: int, name: str) -> entries.Sat:
    return entries.Sat(seat=seat, name=name, token=f"token of {name}")


def read(written: Sequence[AnyEntry]) -> TableState:
    """From the journal."""
    return entries.replay([entries.encode(entry) for entry in written])


def now(state: TableState) -> tuple[Any, ...]:
    """How a table stands, without what was told and commanded before: one that only tries something forgets that."""
    match = None if state.match is None else (state.match.secret_state(), len(state.match.history[-1].said))
    host = None if state.host is None else state.seat_of(state.host)
    seats = [astuple(replace(seat_state, done={})) for seat_state in state.seats]
    plain = (state.version, state.phase, state.number, state.seed, state.replay, state.since, state.deciding_since)
    decision = (state.timed_since, state.drawn, state.overdue, state.named_dealer)
    strangers = (state.awaits_host, state.locked, state.bans)
    return (*plain, *decision, *strangers, state.last, len(state.rounds), host, seats, match)


def whole(state: TableState) -> tuple[Any, ...]:
    """All that a table is."""
    match = None if state.match is None else state.match.record()
    steps = [(version, list(events)) for version, events in state.steps]
    return (*now(state), state.rounds, [seat_state.done for seat_state in state.seats], steps, match)


class Anyone:
    """Says anything a table can be asked, in an order that now and then makes sense."""

    def __init__(self, state: TableState, dice: random.Random) -> None:
        self.state, self.dice = state, dice
        self.numbers = iter(range(10**6))
        self.seats = list(state.seats)  # and those that were taken from the table

    def request(self) -> tuple[SeatState | None, Request, list[SeatState]]:
        self.seats += [seat_state for seat_state in self.state.seats if seat_state not in self.seats]
        people = [*self.state.people(), *self.state.reserved]
        here = [seat_state for seat_state in people if self.dice.random() < 0.7]
        request = self.dice.choice(self.sensible() if self.dice.random() < 0.6 else self.anything())()
        who = [seat_state for seat_state in self.seats if seat_state.kind == "person"]  # only they have tokens
        on_turn = [seat_state for seat_state in who if seat_state is self.state.seats[self.state.to_act or 0]]
        return self.dice.choice([*who, *10 * on_turn, None]), request, here

    def sensible(self) -> list[Callable[[], Request]]:
        """What brings the table on."""
        requests: dict[TablePhase, list[Callable[[], Request]]] = {
            "waiting": [*2 * [self.sit, self.seat_bot, self.clear_seat, self.note_host], self.pledge, self.start],
            "starting": [self.deal_first],
            "playing": [*6 * [self.bot_says], *6 * [self.person_says], self.time_up, self.sit, self.lapse, self.vote],
            "between": [self.deal_next, *6 * [self.ready]],
            "over": [lambda: client_messages.Rematch(self.cmd_id())],
        }
        return requests[self.state.phase]

    def anything(self) -> list[Callable[[], Request]]:
        return [
            *(self.sit, self.seat_bot, self.clear_seat, self.start),
            *(self.ready, self.bot_says, self.time_up, self.deal_next, self.move),
            *(self.pledge, self.open, self.deal_first),
            lambda: client_messages.Leave(self.cmd_id()),
            lambda: client_messages.Back(self.cmd_id()),
            lambda: client_messages.Rematch(self.cmd_id()),
            lambda: MoveSeat(self.seat_state(), f"token {next(self.numbers)}"),
            lambda: StandIn(self.seat_state()),
            lambda: client_messages.Lock(self.cmd_id(), self.dice.random() < 0.2),
            lambda: client_messages.SetSpeed(self.cmd_id(), self.dice.choice(("slow", "normal", "fast"))),
            self.vote,
            self.lapse,
            lambda: NoteHost(self.seat_state()),
            lambda: NoteGreeting(self.seat_state()),
            *(CountVotes, LiftBans),
            lambda: Return(self.seat_state()),
        ]

    def cmd_id(self) -> str:
        return f"c{next(self.numbers)}"

    def seat(self) -> int:
        return self.dice.randrange(len(self.state.seats) + 1)

    def seat_state(self) -> SeatState:
        return self.dice.choice(self.seats)

    def sit(self) -> Request:
        seat = self.dice.choice([None, self.seat()])
        return Sit(self.dice.choice(NAMES), f"token {next(self.numbers)}", seat)

    def seat_bot(self) -> Request:
        return client_messages.SeatBot(self.cmd_id(), self.seat(), self.dice.choice(LEVELS))

    def clear_seat(self) -> Request:
        return client_messages.ClearSeat(self.cmd_id(), self.seat())

    def lapse(self) -> Request:
        return Lapse(self.dice.choice(self.state.reserved or self.seats))

    def vote(self) -> Request:
        slow = [seat for seat, seat_state in enumerate(self.state.seats) if seat_state.slow]
        return client_messages.VoteOut(self.cmd_id(), self.dice.choice(slow or [self.seat()]), self.dice.random() < 0.7)

    def note_host(self) -> Request:
        return NoteHost(self.state.host or self.seat_state())

    def start(self) -> Request:
        return client_messages.Start(self.cmd_id(), self.dice.choice([None, self.seat()]))

    def value(self) -> bytes:
        """One value for each match, whoever has it."""
        return bytes([self.state.number % 256]) * 32

    def pledge(self) -> Request:
        return client_messages.Pledge(self.cmd_id(), pledge_of(self.state.commitment, self.value()))

    def open(self) -> Request:
        return client_messages.Open(self.cmd_id(), self.value().hex())

    def deal_first(self) -> Request:
        opened = {each: self.value() for each in self.state.seats if each.pledge and self.dice.random() < 0.7}
        return DealFirst(self.state.deciding_since, opened)

    def ready(self) -> Request:
        return client_messages.Ready(self.cmd_id())

    def move(self) -> Request:
        moves = self.legal(self.dice.randrange(len(self.state.seats)))
        return client_messages.MakeMove(
            self.cmd_id(), self.state.version, self.dice.choice([*moves, "draw", "R7/O1", "?"])
        )

    def person_says(self) -> Request:
        return client_messages.MakeMove(self.cmd_id(), self.state.version, self.bold())

    def bot_says(self) -> Request:
        return BotSays(self.state.seats[self.state.to_act or 0], self.state.version, self.bold())

    def bold(self) -> str:
        """A card, if there is one: rounds shall end."""
        moves = self.legal(self.state.to_act or 0)
        cards = [move for move in moves if "/" in move]
        return self.dice.choice(cards or moves or ["draw"])

    def time_up(self) -> Request:
        return TimeUp(self.state.timed_since)

    def deal_next(self) -> Request:
        return DealNext(self.state.deciding_since)

    def legal(self, seat: int) -> list[str]:
        return [str(move) for move in self.state.match.legal(seat)] if self.state.match else []


def lived(seed: int, edition: str) -> tuple[TableState, list[AnyEntry]]:
    """A table after many requests; with every entry it was tried out first, and was then what had been foreseen."""
    dice = random.Random(seed)
    seats = dice.choice((2, 3, 4, 10))
    bots = {str(seat): dice.choice(LEVELS) for seat in range(1, seats) if dice.random() < 0.5}
    first = made(
        seats, bots, dice.choice(NAMES), dice.choice((30, 1000)), edition=edition, takeover=dice.random() < 0.7
    )
    first = replace_fields(first, awaits_host=dice.random() < 0.7)
    state = first.make_state()
    written: list[AnyEntry] = [first]
    someone = Anyone(state, dice)
    for number in range(REQUESTS):
        seat_state, request, here = someone.request()
        if number == REQUESTS - LAST_REQUESTS:
            seat_state, request = None, CloseDown("Enough.")
        before = (now(state), len(state.steps), [len(seat_state.done) for seat_state in state.seats])
        try:
            entry = decide(state, seat_state, request, here)
        except TableRefusal:
            entry = None
        if isinstance(entry, entries.Moved) and dice.random() < 0.6:
            entry = replace_fields(entry, slow=True)
        if entry is not None:
            foreseen, replay = entries.apply_to_twin(state, entry), entries.try_out(state, entry)
        after = (now(state), len(state.steps), [len(seat_state.done) for seat_state in state.seats])
        assert after == before, "nothing changes before it is written"
        if entry is not None:
            was_over = state.phase == "over"
            entries.apply(state, entry)
            written.append(entry)
            assert now(foreseen) == now(state)
            if was_over or state.phase != "over":
                assert replay is None
            else:
                assert replay == state.to_keep, "a match is kept with the entry that ends it"
            names = state.names
            assert [unlike(name, names[:at]) for at, name in enumerate(names)] == names, "two have one name"
    return state, written


def test_whatever_is_decided_can_be_carried_out_and_read_again() -> None:
    kinds: Counter[type] = Counter()
    for seed in range(SEEDS):
        state, written = lived(seed, editions.NAMES[seed % len(editions.NAMES)])
        assert whole(read(written)) == whole(state)
        kinds.update(map(type, written))
    no_longer = {entries.Compacted, entries.TokenAdded}
    assert set(kinds) == {*get_args(AnyEntry)} - no_longer, "no request of some kind was ever granted"
    assert kinds[entries.Rematched] > 5, kinds


# ---------------------------------------------------------------- the names of bots
def names_at(state: TableState) -> list[str | None]:
    return [seat_state.name for seat_state in state.seats]


def full_table() -> list[AnyEntry]:
    """The host is called as a bot is, and nine bots are called as all the others are."""
    first = made(10, {str(seat): "rookie" for seat in range(1, 10)})
    return [first, sat(0, "Alba")]


@pytest.mark.parametrize("seat", range(1, 10))
def test_a_bot_of_another_level_keeps_the_name_of_the_one_before_it(seat: int) -> None:
    """Such an entry was written by servers that could not read it again: their tables are there with this one."""
    state = read([*full_table(), entries.BotSat(seat=seat, by=0, cmd_id="c", level="master")])
    assert names_at(state) == list(BOT_NAMES)
    assert state.seats[seat].level == "master"


def test_a_bot_has_the_name_of_nobody_else_in_whatever_letters() -> None:
    before: list[AnyEntry] = [made(5), sat(0, "CELIA"), sat(1, "bruno"), sat(2, "alba")]
    bot = entries.BotSat(seat=3, by=0, cmd_id="c", level="rookie")
    assert names_at(read([*before, bot]))[3] == "Diego"
    assert names_at(read([*before, sat(4, "diego"), bot]))[3] == "Elena"


def test_where_no_name_is_left_a_bot_gets_one_with_a_number() -> None:
    state = read(full_table())
    state.seat_bot(9, "rookie", host="JONAS")
    assert state.seats[9].name == "Jonas 2"


def test_no_bot_is_called_as_the_host_will_be() -> None:
    assert names_at(made(4, {"1": "rookie", "2": "rookie", "3": "rookie"}, host="bruno").make_state()) == [
        None,
        "Alba",
        "Celia",
        "Diego",
    ]
