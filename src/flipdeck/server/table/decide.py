"""Decides requests: an entry for the journal, or a TableRefusal; nothing has changed yet.

None is the answer to an internal request that has become pointless, such as a timeout after the move.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import assert_never

from ...core import editions
from ...core.match import Match
from ...core.notation import OUT_OF_TURN
from ...wire import client_messages
from ...wire.errors import TableRefusal
from ...wire.parts import BotLevel
from .. import identity
from ..default_move import default_move
from ..names import unlike
from . import entries
from .entries import AnyEntry
from .requests import (
    AddToken,
    BotSays,
    CloseDown,
    DealNext,
    InternalRequest,
    OwnRequest,
    Request,
    Return,
    Sit,
    StandIn,
    TimeUp,
)
from .seats import SeatState
from .state import TableState

STAND_IN: BotLevel = "regular"
MISSED_TURNS = 2  # in a row, until a bot stands in


def decide(
    state: TableState, seat_state: SeatState | None, request: Request, here: Collection[SeatState]
) -> AnyEntry | None:
    """``seat_state`` is the seat of whoever asks, if any; ``here`` are the seats whose people are connected."""
    if state.closed is not None and isinstance(request, OwnRequest):
        return None
    state.check_open()
    if isinstance(request, client_messages.Command):
        if seat_state is None or seat_state not in state.seats:
            raise TableRefusal("not-seated")
        return _decide_command(state, seat_state, request, here)
    return _decide_internal(state, request, here)


def _decide_command(
    state: TableState, seat_state: SeatState, request: client_messages.TableCommand, here: Collection[SeatState]
) -> AnyEntry:
    match request:
        case client_messages.MakeMove():
            return _move(state, seat_state, request)
        case client_messages.Start():
            return _start(state, seat_state, request, here)
        case client_messages.SeatBot():
            return _seat_bot(state, seat_state, request, here)
        case client_messages.ClearSeat():
            return _clear_seat(state, seat_state, request, here)
        case client_messages.Ready():
            return _ready(state, seat_state, request)
        case client_messages.Back():
            return _back(state, seat_state, request)
        case client_messages.Leave():
            return _leave(state, seat_state, request)
        case client_messages.Rematch():
            return _rematch(state, seat_state, request)
        case _:
            assert_never(request)


def _decide_internal(state: TableState, request: InternalRequest, here: Collection[SeatState]) -> AnyEntry | None:
    match request:
        case BotSays():
            return _bot_says(state, request)
        case TimeUp():
            return _time_up(state, request)
        case DealNext():
            return _deal_next(state, request)
        case Return():
            return _return(state, request, here)
        case StandIn():
            return _stand_in(state, request)
        case Sit():
            return _sit(state, request)
        case AddToken():
            return _add_token(state, request)
        case CloseDown():
            return entries.Closed(word=request.word)
        case _:
            assert_never(request)


# ---------------------------------------------------------------- the game
def _move(state: TableState, seat_state: SeatState, request: client_messages.MakeMove) -> AnyEntry:
    match = _match_of(state)
    seat = state.seat_of(seat_state)
    _check_version(state, request.version, request.move)
    refusal = match.why_not(seat, request.move)
    if refusal is not None:
        raise TableRefusal.of_game(refusal)
    return entries.Moved(
        seat=seat, by=seat, cmd_id=request.cmd_id, move=request.move, number=_number(match, seat, request.move)
    )


def _number(match: Match, seat: int, move: str) -> int:
    number = match.number_of(seat, move)
    return -1 if number is None else number


def _check_version(state: TableState, version: int, move: str) -> None:
    """Optimistic concurrency: a move counts for the decision that its player saw, and for no later one.

    A catch and a late UNO race with other moves by nature: they are judged as they arrive.
    """
    oldest = state.since if move.startswith(OUT_OF_TURN) else state.deciding_since
    if not oldest <= version <= state.version:
        raise TableRefusal("stale-version", now=state.version)


def _match_of(state: TableState) -> Match:
    if state.match is None:
        raise TableRefusal("not-now", "not-begun", problem="the match has not begun.")
    return state.match


def _bot_says(state: TableState, request: BotSays) -> AnyEntry | None:
    if state.match is None or request.seat_state not in state.seats or not request.seat_state.played_by_bot:
        return None
    seat = state.seat_of(request.seat_state)
    oldest = state.since if request.move.startswith(OUT_OF_TURN) else state.deciding_since
    if request.version < oldest or state.match.why_not(seat, request.move) is not None:
        return None
    return entries.Moved(seat=seat, move=request.move, number=_number(state.match, seat, request.move), who="bot")


def _time_up(state: TableState, request: TimeUp) -> AnyEntry | None:
    seat = state.to_act
    if seat is None or state.match is None or state.timed_since != request.version:
        return None
    move = str(default_move(state.match.view(seat)))
    return entries.Moved(seat=seat, move=move, number=_number(state.match, seat, move), who="clock")


def _ready(state: TableState, seat_state: SeatState, request: client_messages.Ready) -> AnyEntry:
    if state.phase != "between":
        raise TableRefusal("not-now", "not-between", problem="no round has just ended.")
    if seat_state.ready:
        raise TableRefusal("not-now", "already-ready", problem="you are ready already.")
    seat = state.seat_of(seat_state)
    return entries.SaidReady(seat=seat, by=seat, cmd_id=request.cmd_id)


def _deal_next(state: TableState, request: DealNext) -> AnyEntry | None:
    return entries.NextRound() if state.phase == "between" and state.deciding_since == request.version else None


# ---------------------------------------------------------------- join and leave
def _sit(state: TableState, request: Sit) -> AnyEntry | None:
    if state.seat_with_token(request.token, identity.same) is not None:
        return None  # a repeated request: the first answer was lost
    if state.phase != "waiting":
        raise TableRefusal("not-now", "begun", problem="the match has begun; you can watch.")
    free = [seat for seat, seat_state in enumerate(state.seats) if seat_state.kind == "empty"]
    if not free:
        raise TableRefusal("table-full")
    if request.seat is not None and _seat_at(state, request.seat).kind != "empty":
        raise TableRefusal("seat-taken", seat=request.seat)
    name = unlike(request.name, [seat_state.name for seat_state in state.seats if seat_state.name])
    return entries.Sat(seat=free[0] if request.seat is None else request.seat, name=name, token=request.token)


def _add_token(state: TableState, request: AddToken) -> AnyEntry:
    if request.seat_state not in state.seats or request.seat_state.kind != "person":
        raise TableRefusal("bad-token")
    return entries.TokenAdded(seat=state.seat_of(request.seat_state), token=request.token)


def _leave(state: TableState, seat_state: SeatState, request: client_messages.Leave) -> AnyEntry:
    seat = state.seat_of(seat_state)
    if state.phase == "waiting":
        return entries.Cleared(seat=seat, by=seat, cmd_id=request.cmd_id)
    return entries.StoodIn(seat=seat, by=seat, cmd_id=request.cmd_id, level=STAND_IN, why="left")


def _back(state: TableState, seat_state: SeatState, request: client_messages.Back) -> AnyEntry:
    if not seat_state.sits_in:
        raise TableRefusal("not-now", "not-away", problem="no bot sits in for you.")
    seat = state.seat_of(seat_state)
    return entries.Returned(seat=seat, by=seat, cmd_id=request.cmd_id)


def _return(state: TableState, request: Return, here: Collection[SeatState]) -> AnyEntry | None:
    if request.seat_state not in here:
        return None  # gone again: the table would wait for nobody
    if request.seat_state not in state.seats or not request.seat_state.sits_in:
        return None
    return entries.Returned(seat=state.seat_of(request.seat_state))


def _stand_in(state: TableState, request: StandIn) -> AnyEntry | None:
    seat_state = request.seat_state
    if seat_state not in state.seats or not seat_state.played_by_person or state.phase == "waiting":
        return None
    if seat_state.missed < MISSED_TURNS:  # they have moved meanwhile
        return None
    return entries.StoodIn(seat=state.seat_of(request.seat_state), level=STAND_IN, why="absent")


# ---------------------------------------------------------------- the host
def _start(
    state: TableState, seat_state: SeatState, request: client_messages.Start, here: Collection[SeatState]
) -> AnyEntry:
    _host_before_start(state, seat_state, here)
    if any(each.kind == "empty" for each in state.seats):
        raise TableRefusal("seats-empty")
    if request.dealer is not None:
        _check_dealer(state, request.dealer)
    return entries.Started(by=state.seat_of(seat_state), cmd_id=request.cmd_id, dealer=request.dealer)


def _check_dealer(state: TableState, dealer: int) -> None:
    """DEALER-1: a dealer can be named where the edition says that one is chosen."""
    _seat_at(state, dealer)
    options = editions.edition(state.settings.edition).options.changed(state.settings.options)
    if options.first_dealer != "chosen":
        raise TableRefusal("not-now", "dealer-not-chosen", problem="at this table the highest card finds the dealer.")


def _seat_bot(
    state: TableState, seat_state: SeatState, request: client_messages.SeatBot, here: Collection[SeatState]
) -> AnyEntry:
    _host_only(state, seat_state, here)
    other, by = _seat_at(state, request.seat), state.seat_of(seat_state)
    if state.phase == "waiting":
        if other.kind == "person":
            raise TableRefusal("seat-taken", seat=request.seat)
        return entries.BotSat(seat=request.seat, by=by, cmd_id=request.cmd_id, level=request.level)
    if other in here or not other.played_by_person:
        raise TableRefusal("not-now", "not-away", problem="a bot takes the place of a person who is away only.")
    return entries.StoodIn(seat=request.seat, by=by, cmd_id=request.cmd_id, level=request.level, why="host")


def _clear_seat(
    state: TableState, seat_state: SeatState, request: client_messages.ClearSeat, here: Collection[SeatState]
) -> AnyEntry:
    _host_before_start(state, seat_state, here)
    other, by = _seat_at(state, request.seat), state.seat_of(seat_state)
    if other is seat_state:
        raise TableRefusal("not-now", "own-seat", problem="to give up your own seat, leave.")
    if seat_state is not state.host and (other is state.host or other in here):
        raise TableRefusal("not-host")  # who stands in for the host removes nobody
    if other.kind != "empty":
        return entries.Cleared(seat=request.seat, by=by, cmd_id=request.cmd_id)
    if len(state.seats) == 2:
        raise TableRefusal("not-now", "two-seats", problem="a table has at least two seats.")
    return entries.TakenAway(seat=request.seat, by=by, cmd_id=request.cmd_id)


def _rematch(state: TableState, seat_state: SeatState, request: client_messages.Rematch) -> AnyEntry:
    if state.phase != "over":
        raise TableRefusal("not-now", "not-over", problem="the match is not over.")
    seed, replay = identity.new_seed().hex(), identity.new_replay_name()
    return entries.Rematched(by=state.seat_of(seat_state), cmd_id=request.cmd_id, seed=seed, replay=replay)


def _host_only(state: TableState, seat_state: SeatState, here: Collection[SeatState]) -> None:
    """While the host is away anybody at the table has their rights, so that nobody has to wait for them."""
    if seat_state is not state.host and state.host in here:
        raise TableRefusal("not-host")


def _host_before_start(state: TableState, seat_state: SeatState, here: Collection[SeatState]) -> None:
    _host_only(state, seat_state, here)
    if state.phase != "waiting":
        raise TableRefusal("not-now", "begun", problem="the match has begun.")


def _seat_at(state: TableState, seat: int) -> SeatState:
    if seat >= len(state.seats):
        raise TableRefusal("not-now", "no-such-seat", problem=f"there is no seat {seat}.")
    return state.seats[seat]
