"""Decides requests: an entry for the journal, or a TableRefusal; nothing has changed yet.

None means that there is nothing to write: an internal request has become pointless, such as a timeout after the move,
or a value was opened, which waits in memory for the deal.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import assert_never

from ...core import editions
from ...core.match import Match
from ...core.notation import OUT_OF_TURN
from ...wire import client_messages
from ...wire.errors import TableRefusal
from .. import identity
from ..default_move import default_move
from . import entries
from .entries import AnyEntry
from .host_decisions import clear_seat, host_before_start, lock, seat_at, seat_bot, set_speed
from .pledges import decide_first_deal, decide_start, decide_value
from .requests import (
    BotSays,
    CloseDown,
    CountVotes,
    DealFirst,
    DealNext,
    InternalRequest,
    Lapse,
    LiftBans,
    MoveSeat,
    NoteGreeting,
    NoteHost,
    OwnRequest,
    Request,
    Return,
    Sit,
    StandIn,
    TimeUp,
)
from .seat_decisions import go_back, lapse, leave, move_seat, note_greeting, return_to_seat, sit, stand_in, takes
from .seats import SeatState
from .state import TableState
from .vote_decisions import check_not_voted_out, count_votes, vote_out


def decide(
    state: TableState,
    seat_state: SeatState | None,
    request: Request,
    here: Collection[SeatState],
    take_secret: Callable[[], bytes] | None = None,
) -> AnyEntry | None:
    """``seat_state`` is the seat of whoever asks, if any; ``here`` are the seats whose people are connected;
    ``take_secret`` gives the secret of another match, chosen before the request was read."""
    if state.closed is not None:
        if isinstance(request, OwnRequest):
            return None
        state.check_open()
    if isinstance(request, client_messages.Command):
        if seat_state is None or seat_state not in state.seats:
            return _of_watcher(state, seat_state, request)
        check_not_voted_out(state, seat_state, request)
        return _decide_command(state, seat_state, request, here, take_secret or identity.new_seed)
    return _decide_internal(state, request, here)


def _of_watcher(state: TableState, seat_state: SeatState | None, request: client_messages.Command) -> AnyEntry:
    """Whoever has reserved a seat watches until they have it, and can let it go."""
    seat = None if seat_state is None else state.place_of(seat_state)
    if seat is None or not isinstance(request, client_messages.Leave):
        raise TableRefusal("not-seated")
    return entries.Unreserved(seat=seat, by=seat)


def _decide_command(
    state: TableState,
    seat_state: SeatState,
    request: client_messages.TableCommand,
    here: Collection[SeatState],
    take_secret: Callable[[], bytes],
) -> AnyEntry | None:
    match request:
        case client_messages.MakeMove():
            return _move(state, seat_state, request)
        case client_messages.Pledge() | client_messages.Open():
            return decide_value(state, seat_state, request)
        case client_messages.VoteOut():
            return vote_out(state, seat_state, request, here)
        case client_messages.Ready():
            return _ready(state, seat_state, request)
        case client_messages.Back():
            return go_back(state, seat_state, request)
        case client_messages.Leave():
            return leave(state, seat_state, request)
        case client_messages.Rematch():
            return _rematch(state, seat_state, request, here, take_secret)
        case _:
            return _decide_host_command(state, seat_state, request, here)


def _decide_host_command(
    state: TableState, seat_state: SeatState, request: client_messages.HostCommand, here: Collection[SeatState]
) -> AnyEntry:
    match request:
        case client_messages.Start():
            return _start(state, seat_state, request, here)
        case client_messages.SeatBot():
            return seat_bot(state, seat_state, request, here)
        case client_messages.ClearSeat():
            return clear_seat(state, seat_state, request, here)
        case client_messages.Lock():
            return lock(state, seat_state, request)
        case client_messages.SetSpeed():
            return set_speed(state, seat_state, request, here)
        case _:
            assert_never(request)


def _decide_internal(state: TableState, request: InternalRequest, here: Collection[SeatState]) -> AnyEntry | None:
    match request:
        case Sit():
            return sit(state, request, here)
        case MoveSeat():
            return move_seat(state, request)
        case LiftBans():
            lifted = [ban for ban in state.bans if request.name in ("", ban.name)]
            return entries.Unbanned(name=request.name) if lifted else None
        case CloseDown():
            return entries.Closed(word=request.word)
        case _:
            return _decide_own(state, request, here)


def _decide_own(state: TableState, request: OwnRequest, here: Collection[SeatState]) -> AnyEntry | None:
    match request:
        case BotSays():
            return _bot_says(state, request)
        case TimeUp():
            return _time_up(state, request)
        case DealFirst():
            return decide_first_deal(state, request)
        case DealNext():
            return _deal_next(state, request, here)
        case Return():
            return return_to_seat(state, request, here)
        case StandIn():
            return stand_in(state, request)
        case Lapse():
            return lapse(state, request, here)
        case NoteHost() | NoteGreeting():
            return note_greeting(state, request)
        case CountVotes():
            return count_votes(state, here)
        case _:
            assert_never(request)


# ---------------------------------------------------------------- the game
def _move(state: TableState, seat_state: SeatState, request: client_messages.MakeMove) -> AnyEntry:
    match = _match_of(state)
    seat = state.seat_of(seat_state)
    _check_version(state, request.version, request.move)
    number = _number(match, seat, request.move)
    if number < 0 and (refusal := match.why_not(seat, request.move)) is not None:
        raise TableRefusal.of_game(refusal)
    return entries.Moved(seat=seat, by=seat, cmd_id=request.cmd_id, move=request.move, number=number)


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


def _deal_next(state: TableState, request: DealNext, here: Collection[SeatState]) -> AnyEntry | None:
    if state.phase != "between" or state.deciding_since != request.version:
        return None
    return entries.NextRound(takes=takes(state, here))


# ---------------------------------------------------------------- the host
def _start(
    state: TableState, seat_state: SeatState, request: client_messages.Start, here: Collection[SeatState]
) -> AnyEntry:
    host_before_start(state, seat_state, here)
    if any(each.kind == "empty" for each in state.seats):
        raise TableRefusal("seats-empty")
    if request.dealer is not None:
        _check_dealer(state, request.dealer)
    return decide_start(state, seat_state, request)


def _check_dealer(state: TableState, dealer: int) -> None:
    """DEALER-1: a dealer can be named where the edition says that one is chosen."""
    seat_at(state, dealer)
    options = editions.edition(state.settings.edition).options.changed(state.settings.options)
    if options.first_dealer != "chosen":
        raise TableRefusal("not-now", "dealer-not-chosen", problem="at this table the highest card finds the dealer.")


def _rematch(
    state: TableState,
    seat_state: SeatState,
    request: client_messages.Rematch,
    here: Collection[SeatState],
    take_secret: Callable[[], bytes],
) -> AnyEntry:
    if state.phase != "over":
        raise TableRefusal("not-now", "not-over", problem="the match is not over.")
    seed, replay, by = take_secret().hex(), identity.new_replay_name(), state.seat_of(seat_state)
    return entries.Rematched(by=by, cmd_id=request.cmd_id, seed=seed, replay=replay, takes=takes(state, here))
