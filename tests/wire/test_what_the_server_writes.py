"""The server writes what the messages say: no field more, no field less, no name that isn't among them.

Some of its messages are put together by hand, for speed, and reasons are texts in its code: both could drift.
"""

from __future__ import annotations

import ast
import json
from random import Random
from typing import get_args

import msgspec
import pytest
from msgspec import Struct

from flipdeck.bots.view_json import read_view
from flipdeck.core import errors as core_errors
from flipdeck.core.events import What
from flipdeck.server.table import frames
from flipdeck.server.table.entries import Made, Moved, Started, apply
from flipdeck.server.table.seats import SeatState
from flipdeck.server.table.state import TableState
from flipdeck.wire.__main__ import ROOT
from flipdeck.wire.errors import REASONS
from flipdeck.wire.parts import ClockInfo, EventInfo, EventName, Settings
from flipdeck.wire.server_messages import AnyServerMessage, ChatLine, Update, Welcome
from flipdeck.wire.shapes import fields_of
from tests.random_matches import all_that_can_be_said, random_table

SERVER = ROOT / "src" / "flipdeck" / "server"
STEPS = 40


# ---------------------------------------------------------------- frames that are put together by hand
def names_of(struct: type[Struct]) -> set[str]:
    return {field.name for field in fields_of(struct)}


def read_strictly(frame: bytes) -> Struct:
    """A message that says all of it, and nothing else: read and written again, it is the same."""
    message: Struct = msgspec.json.decode(frame, type=AnyServerMessage)
    assert json.loads(msgspec.json.encode(message)) == json.loads(frame)
    return message


def started(dice: Random) -> TableState:
    table = random_table(dice)
    settings = Settings(table.edition, table.options, table.players)  # type: ignore[arg-type]  # plain values, all
    state = Made(code="K7QM2XRD", settings=settings, seed=dice.randbytes(32).hex(), replay="r").make_state()
    state.seats = [SeatState("bot", level="regular", ready=True) for seat in range(table.players)]
    apply(state, Started())
    return state


def check_frames(state: TableState) -> set[str]:
    """What everybody is told just now; the names of the events in it."""
    info, clock = state.info([], 1, None), ClockInfo(0, 10, 20, running=True)
    version, events = state.steps[-1]
    names: set[str] = set()
    for table in (info, None):
        told = frames.updates(version, events, state.match, [None, 0, 1], clock, table)
        for viewer, frame in told.items():
            update = read_strictly(frame)
            assert isinstance(update, Update)
            assert update.view is not None
            assert (update.you, update.view.you, update.table) == (viewer, viewer, table)
            names |= {event.event for event in update.events}
    frame = frames.welcome(
        "1", 1, state.version, info, state.match, clock, state.missed_since(0), [ChatLine(0, "Ana", "x")]
    )
    welcome = read_strictly(frame)
    assert isinstance(welcome, Welcome)
    assert welcome.missed is not None
    assert len(welcome.missed) == len(state.steps)
    return names


def test_every_frame_of_a_match_says_exactly_what_its_message_has() -> None:
    dice = Random("strictly")
    met: set[str] = set()
    for _ in range(25):
        state = started(dice)
        met |= check_frames(state)
        for _ in range(STEPS):
            if state.match is None or state.match.round.over:
                break
            seat, move = dice.choice(all_that_can_be_said(state.match))
            apply(state, Moved(seat=seat, move=str(move)))
        met |= check_frames(state)
    assert len(met) > 8, f"too little has happened: {met}"


def test_a_frame_without_a_match_says_exactly_what_its_message_has() -> None:
    state = Made(code="K7QM2XRD", settings=Settings(), seed="00" * 32, replay="r").make_state()
    info = state.info([], 0, None)
    (frame,) = frames.updates(2, (), None, [3], None, info).values()
    assert read_strictly(frame) == Update(2, 3, [], None, None, info)
    assert isinstance(read_strictly(frames.welcome("1", 0, 2, info, None, None, None, [])), Welcome)
    assert isinstance(read_strictly(frames.welcome("1", None, 2, info, None, None, [], [])), Welcome)


def test_a_view_that_the_server_sent_is_read_back_as_the_view_it_was() -> None:
    """The whole way round: frame, strict parser, View, and the same JSON again."""
    dice = Random("round trip")
    for _ in range(20):
        state = started(dice)
        for _ in range(dice.randrange(STEPS)):
            if state.match is None or state.match.round.over:
                break
            seat, move = dice.choice(all_that_can_be_said(state.match))
            apply(state, Moved(seat=seat, move=str(move)))
        match = state.match
        assert match is not None
        sent = frames.updates(3, (), match, [None, 0, 1], None, None)
        for viewer, frame in sent.items():
            view = read_view(frame.decode(), match.options)
            assert view == match.view(viewer)
            assert json.dumps(view.to_dict(), separators=(",", ":")).encode() in frame


def test_reading_strictly_finds_a_field_too_much_and_one_too_few() -> None:
    (frame,) = frames.updates(3, (), started(Random("odd")).match, [1], None, None).values()
    read_strictly(frame)
    with pytest.raises(AssertionError):
        read_strictly(frame.replace(b'"owed":', b'"stock":[],"owed":'))
    with pytest.raises(AssertionError):
        read_strictly(frame.replace(b',"clock":null', b""))
    with pytest.raises(msgspec.ValidationError):
        read_strictly(frame.replace(b'"owed":0,', b""))


def test_the_events_of_the_wire_are_those_of_the_game() -> None:
    assert get_args(EventName) == tuple(what.value for what in What)


def test_an_event_on_the_wire_has_every_field_of_an_event() -> None:
    from flipdeck.core import events

    assert names_of(EventInfo) == {"event", "side", *events._TOLD}


# ---------------------------------------------------------------- reasons
def reasons_raised() -> list[tuple[str, str, str]]:
    """Where a TableRefusal is made, its code, and its reason if it has one of its own."""
    found = []
    for path in sorted(SERVER.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "TableRefusal":
                named = [word.value for word in node.keywords if word.arg in ("code", "reason")]
                texts = [ast.literal_eval(argument) for argument in (*node.args, *named)]
                found.append((f"{path.name}:{node.lineno}", texts[0], texts[-1]))
    return found


def test_every_reason_of_the_table_is_on_the_list_or_is_its_code() -> None:
    raised = reasons_raised()
    assert len(raised) > 30
    for where, code, reason in raised:
        assert reason == code or REASONS.get(reason) == code, f"{where}: {reason} is not on the list for {code}"


def test_every_reason_on_the_list_is_given_somewhere() -> None:
    assert set(REASONS) <= {reason for _, _, reason in reasons_raised()}


def test_no_reason_of_the_table_is_also_one_of_the_rules() -> None:
    """A client translates by the reason: the same one can't have two sentences with other facts in them."""
    assert not set(REASONS) & set(core_errors.SENTENCES)


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_is_in_the_document(reason: str) -> None:
    assert f"| `{reason}` | `{REASONS[reason]}` |" in (ROOT / "docs" / "wire.md").read_text(encoding="utf-8")
