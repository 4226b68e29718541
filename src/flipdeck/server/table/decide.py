"""May this be done now?  One function a wish: an entry for the journal, or a TableRefusal, and nothing has changed.

``None`` is the answer to a wish of the table's own that has become pointless, such as a time-out after the move.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from ...core.match import Match
from ...wire import client_messages
from ...wire.errors import TableRefusal
from ...wire.parts import BotLevel
from .. import identity
from ..default_move import in_need
from ..names import unlike
from . import entries
from .entries import AnyEntry
from .requests import AddToken, BotSays, DealNext, Return, Sit, StandIn, TimeUp, Wish
from .seats import Chair
from .state import OUT_OF_TURN, TableState

STAND_IN: BotLevel = "regular"
MISSED_TURNS = 2  # in a row, until a bot sits in


def decide(state: TableState, chair: Chair | None, wish: Wish, here: Collection[Chair]) -> AnyEntry | None:
    """``chair`` is that of whoever wishes it, if they have one; ``here`` are those of people who are connected."""
    if isinstance(wish, client_messages.Command):
        if chair is None or chair not in state.chairs:
            raise TableRefusal("not-seated")
        return _DECISIONS[type(wish)](state, chair, wish, here)
    if isinstance(wish, Return) and wish.chair not in here:
        return None  # gone again: with nobody there, the table would wait for them
    return _OWN_DECISIONS[type(wish)](state, wish)


# ---------------------------------------------------------------- the game
def _move(state: TableState, chair: Chair, wish: client_messages.MakeMove, _: Collection[Chair]) -> AnyEntry:
    match = _match_of(state)
    seat = state.seat_of(chair)
    _check_version(state, wish.version, wish.move)
    refusal = match.why_not(seat, wish.move)
    if refusal is not None:
        raise TableRefusal.of_game(refusal)
    return entries.Moved(seat=seat, by=seat, cmd_id=wish.cmd_id, move=wish.move, number=_number(match, seat, wish.move))


def _number(match: Match, seat: int, move: str) -> int:
    number = match.number_of(seat, move)
    return -1 if number is None else number


def _check_version(state: TableState, version: int, move: str) -> None:
    """A move was chosen from what its player saw then: it counts if that is still the same decision.

    A catch and a late UNO race with other people's moves by nature: they are judged as they arrive.
    """
    oldest = state.since if move.startswith(OUT_OF_TURN) else state.deciding_since
    if not oldest <= version <= state.version:
        raise TableRefusal("stale-version", now=state.version)


def _match_of(state: TableState) -> Match:
    if state.match is None:
        raise TableRefusal("not-now", "not-begun", problem="the match has not begun.")
    return state.match


def _bot_says(state: TableState, wish: BotSays) -> AnyEntry | None:
    if state.match is None or wish.chair not in state.chairs or not wish.chair.played_by_bot:
        return None
    seat = state.seat_of(wish.chair)
    oldest = state.since if wish.move.startswith(OUT_OF_TURN) else state.deciding_since
    if wish.version < oldest or state.match.why_not(seat, wish.move) is not None:
        return None
    return entries.Moved(seat=seat, move=wish.move, number=_number(state.match, seat, wish.move), who="bot")


def _time_up(state: TableState, wish: TimeUp) -> AnyEntry | None:
    seat = state.to_act
    if seat is None or state.match is None or state.deciding_since != wish.version:
        return None
    move = str(in_need(state.match.view(seat)))
    return entries.Moved(seat=seat, move=move, number=_number(state.match, seat, move), who="clock")


def _ready(state: TableState, chair: Chair, wish: client_messages.Ready, _: Collection[Chair]) -> AnyEntry:
    if state.phase != "between":
        raise TableRefusal("not-now", "not-between", problem="no round has just ended.")
    if chair.ready:
        raise TableRefusal("not-now", "already-ready", problem="you are ready already.")
    seat = state.seat_of(chair)
    return entries.SaidReady(seat=seat, by=seat, cmd_id=wish.cmd_id)


def _deal_next(state: TableState, wish: DealNext) -> AnyEntry | None:
    return entries.NextRound() if state.phase == "between" and state.deciding_since == wish.version else None


# ---------------------------------------------------------------- sitting down, standing up
def _sit(state: TableState, wish: Sit) -> AnyEntry | None:
    if state.chair_with(wish.token, identity.same) is not None:
        return None  # the answer to the first time was lost
    if state.phase != "waiting":
        raise TableRefusal("not-now", "begun", problem="the match has begun; you can look on.")
    free = [seat for seat, chair in enumerate(state.chairs) if chair.kind == "empty"]
    if not free:
        raise TableRefusal("table-full")
    if wish.seat is not None and _chair_at(state, wish.seat).kind != "empty":
        raise TableRefusal("seat-taken", seat=wish.seat)
    name = unlike(wish.name, [chair.name for chair in state.chairs if chair.name])
    return entries.Sat(seat=free[0] if wish.seat is None else wish.seat, name=name, token=wish.token)


def _add_token(state: TableState, wish: AddToken) -> AnyEntry:
    if wish.chair not in state.chairs or wish.chair.kind != "person":
        raise TableRefusal("bad-token")
    return entries.TokenAdded(seat=state.seat_of(wish.chair), token=wish.token)


def _leave(state: TableState, chair: Chair, wish: client_messages.Leave, _: Collection[Chair]) -> AnyEntry:
    seat = state.seat_of(chair)
    if state.phase == "waiting":
        return entries.Cleared(seat=seat, by=seat, cmd_id=wish.cmd_id)
    return entries.StoodIn(seat=seat, by=seat, cmd_id=wish.cmd_id, level=STAND_IN, why="left")


def _back(state: TableState, chair: Chair, wish: client_messages.Back, _: Collection[Chair]) -> AnyEntry:
    if not chair.sits_in:
        raise TableRefusal("not-now", "not-away", problem="no bot sits in for you.")
    seat = state.seat_of(chair)
    return entries.Returned(seat=seat, by=seat, cmd_id=wish.cmd_id)


def _return(state: TableState, wish: Return) -> AnyEntry | None:
    if wish.chair not in state.chairs or not wish.chair.sits_in:
        return None
    return entries.Returned(seat=state.seat_of(wish.chair))


def _stand_in(state: TableState, wish: StandIn) -> AnyEntry | None:
    chair = wish.chair
    if chair not in state.chairs or not chair.played_by_person or state.phase == "waiting":
        return None
    if chair.missed < MISSED_TURNS:  # they have moved in the meantime
        return None
    return entries.StoodIn(seat=state.seat_of(wish.chair), level=STAND_IN, why="absent")


# ---------------------------------------------------------------- the host
def _start(state: TableState, chair: Chair, wish: client_messages.Start, here: Collection[Chair]) -> AnyEntry:
    _host_before_start(state, chair, here)
    if any(each.kind == "empty" for each in state.chairs):
        raise TableRefusal("seats-empty")
    return entries.Started(by=state.seat_of(chair), cmd_id=wish.cmd_id)


def _seat_bot(state: TableState, chair: Chair, wish: client_messages.SeatBot, here: Collection[Chair]) -> AnyEntry:
    _host_only(state, chair, here)
    other, by = _chair_at(state, wish.seat), state.seat_of(chair)
    if state.phase == "waiting":
        if other.kind == "person":
            raise TableRefusal("seat-taken", seat=wish.seat)
        return entries.BotSat(seat=wish.seat, by=by, cmd_id=wish.cmd_id, level=wish.level)
    if other in here or not other.played_by_person:
        raise TableRefusal("not-now", "not-away", problem="a bot takes the place of a person who is away only.")
    return entries.StoodIn(seat=wish.seat, by=by, cmd_id=wish.cmd_id, level=wish.level, why="host")


def _clear_seat(state: TableState, chair: Chair, wish: client_messages.ClearSeat, here: Collection[Chair]) -> AnyEntry:
    _host_before_start(state, chair, here)
    other, by = _chair_at(state, wish.seat), state.seat_of(chair)
    if other is chair:
        raise TableRefusal("not-now", "own-seat", problem="to give up your own seat, leave.")
    if chair is not state.host and (other is state.host or other in here):
        raise TableRefusal("not-host")  # who stands in for the host sends nobody away
    if other.kind != "empty":
        return entries.Cleared(seat=wish.seat, by=by, cmd_id=wish.cmd_id)
    if len(state.chairs) == 2:
        raise TableRefusal("not-now", "two-seats", problem="a table has at least two seats.")
    return entries.TakenAway(seat=wish.seat, by=by, cmd_id=wish.cmd_id)


def _rematch(state: TableState, chair: Chair, wish: client_messages.Rematch, _: Collection[Chair]) -> AnyEntry:
    if state.phase != "over":
        raise TableRefusal("not-now", "not-over", problem="the match is not over.")
    seed, replay = identity.new_seed().hex(), identity.new_replay_name()
    return entries.Rematched(by=state.seat_of(chair), cmd_id=wish.cmd_id, seed=seed, replay=replay)


def _host_only(state: TableState, chair: Chair, here: Collection[Chair]) -> None:
    """While the host is away, anybody at the table can do what the host can: nobody should have to wait for them."""
    if chair is not state.host and state.host in here:
        raise TableRefusal("not-host")


def _host_before_start(state: TableState, chair: Chair, here: Collection[Chair]) -> None:
    _host_only(state, chair, here)
    if state.phase != "waiting":
        raise TableRefusal("not-now", "begun", problem="the match has begun.")


def _chair_at(state: TableState, seat: int) -> Chair:
    if seat >= len(state.chairs):
        raise TableRefusal("not-now", "no-such-seat", problem=f"there is no seat {seat}.")
    return state.chairs[seat]


_DECISIONS: dict[type, Callable[[TableState, Chair, Any, Collection[Chair]], AnyEntry]] = {
    client_messages.MakeMove: _move,
    client_messages.Start: _start,
    client_messages.SeatBot: _seat_bot,
    client_messages.ClearSeat: _clear_seat,
    client_messages.Ready: _ready,
    client_messages.Back: _back,
    client_messages.Leave: _leave,
    client_messages.Rematch: _rematch,
}
_OWN_DECISIONS: dict[type, Callable[[TableState, Any], AnyEntry | None]] = {
    Sit: _sit,
    AddToken: _add_token,
    TimeUp: _time_up,
    StandIn: _stand_in,
    Return: _return,
    DealNext: _deal_next,
    BotSays: _bot_says,
}
