"""Nothing can be forgotten at run time: a new message, request or entry fails in the type checker and here.

The last test plants one of each in a copy of the sources, and sees both fail.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flipdeck.server.identity import hash_token
from flipdeck.server.table import entries
from flipdeck.server.table.decide import decide
from flipdeck.server.table.requests import (
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
    Return,
    Sit,
    StandIn,
    TimeUp,
)
from flipdeck.server.table.snapshot import take
from flipdeck.server.table.state import TableState
from flipdeck.wire import client_messages
from flipdeck.wire.client_messages import TableCommand
from flipdeck.wire.errors import TableRefusal
from flipdeck.wire.parts import Settings
from tests.wire.inventing import any_of

ROOT = Path(__file__).parents[2]

# kinds of messages that a session answers without its table
BY_SESSION = {
    client_messages.Hello,
    client_messages.Transfer,
    client_messages.Chat,
    client_messages.Emote,
    client_messages.Hurry,
    client_messages.Probe,
    client_messages.Pong,
}


def made() -> entries.Made:
    settings = Settings(seats=3, options={"hand_size": 2})
    return entries.Made(code="T", settings=settings, seed="17" * 32, replay="first")


def waiting() -> TableState:
    """Ann is the host, Ben sits beside her, and one seat is empty."""
    state = made().make_state()
    entries.apply(state, entries.Sat(seat=0, name="Ann", token=hash_token("a")))
    entries.apply(state, entries.Sat(seat=1, name="Ben", token=hash_token("b")))
    return state


def playing() -> TableState:
    state = waiting()
    entries.apply(state, entries.TakenAway(seat=2))
    entries.apply(state, entries.Started())
    return state


def between() -> TableState:
    """The clock plays for both until somebody is out."""
    state = playing()
    while state.phase == "playing":
        entry = decide(state, None, TimeUp(state.timed_since), ())
        assert entry is not None
        entries.apply(state, entry)
    return state


# one of each kind, and a table where it fits
ENTRIES: list[tuple[entries.AnyEntry, TableState]] = [
    (entries.Sat(seat=2, name="Cid", token=hash_token("c")), waiting()),
    (entries.BotSat(seat=2, level="rookie"), waiting()),
    (entries.Cleared(seat=1), waiting()),
    (entries.TakenAway(seat=2), waiting()),
    (entries.StoodIn(seat=1, level="rookie", why="left"), playing()),
    (entries.Returned(seat=1), playing()),
    (entries.Unbanned(), waiting()),
    (entries.Locked(locked=True), waiting()),
    (entries.SpeedSet(speed="slow"), playing()),
    (entries.HostCame(seat=0), waiting()),
    (entries.Greeted(seat=0), waiting()),
    (entries.Voted(seat=1, by=0, on=True), playing()),
    (entries.Reserved(seat=1, name="Dan", token=hash_token("d")), playing()),
    (entries.Unreserved(seat=1), playing()),
    (entries.TokenAdded(seat=1, token=hash_token("d")), waiting()),
    (entries.Transferred(seat=1, token=hash_token("d")), waiting()),
    (entries.Pledged(seat=1, pledge="19" * 32), waiting()),
    (entries.Frozen(), waiting()),
    (entries.Closed(word="Enough."), playing()),
    (entries.Started(), waiting()),
    (entries.Moved(seat=0, move="draw"), playing()),
    (entries.SaidReady(seat=0), between()),
    (entries.NextRound(), between()),
    (entries.Rematched(seed="18" * 32, replay="second"), playing()),
]


# ---------------------------------------------------------------- every kind has its place
def test_every_message_of_a_client_is_for_the_table_or_for_its_session() -> None:
    assert {*get_args(client_messages.AnyClientMessage)} == {*get_args(TableCommand), *BY_SESSION}


@pytest.mark.parametrize("kind", get_args(TableCommand))
@settings(max_examples=20)
@given(data=st.data())
def test_every_command_is_decided(kind: type[client_messages.Command], data: st.DataObject) -> None:
    state, command = waiting(), data.draw(any_of(kind))
    with suppress(TableRefusal):
        assert isinstance(decide(state, state.seats[0], command, state.seats), entries.Entry)


def test_every_internal_request_is_decided() -> None:
    state = playing()
    seat_state = state.seats[0]
    asked: list[InternalRequest] = [
        Sit("Ann", hash_token("a")),
        MoveSeat(seat_state, hash_token("e")),
        LiftBans(),
        Lapse(seat_state),
        NoteGreeting(seat_state),
        NoteHost(seat_state),
        CountVotes(),
        CloseDown("Enough."),
        TimeUp(state.timed_since),
        StandIn(seat_state),
        Return(seat_state),
        DealFirst(state.version, {}),
        DealNext(state.version),
        BotSays(seat_state, state.version, "draw"),
    ]
    assert {type(request) for request in asked} == {*get_args(InternalRequest)}
    for request in asked:
        decided = decide(state, None, request, state.seats)
        assert decided is None or isinstance(decided, entries.Entry)


def test_every_entry_is_applied() -> None:
    assert {type(entry) for entry, _ in ENTRIES} == {*get_args(entries.AnyEntry)} - {entries.Made, entries.Compacted}
    for entry, state in ENTRIES:
        version = state.version
        entries.apply(state, entry)
        assert state.version == version + 1


def test_a_table_begins_only_once() -> None:
    for first in (made(), entries.Compacted(state=take(waiting()))):
        with pytest.raises(TypeError, match="begins once"):
            entries.apply(waiting(), first)


# ---------------------------------------------------------------- a planted kind is found
def plant(sources: Path, path: str, kind: str, union: str) -> None:
    """Another class in a module, and in its union."""
    module = sources / path
    text = module.read_text(encoding="utf-8")
    planted, times = re.subn(rf"^{union} = (\(\s*)?", rf"{kind}\n\n\n{union} = \1Planted | ", text, flags=re.MULTILINE)
    assert times == 1
    module.write_text(planted, encoding="utf-8")


def test_a_kind_that_is_planted_and_not_handled_fails_in_the_type_checker_and_at_run_time(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src" / "flipdeck", tmp_path / "src" / "flipdeck", ignore=shutil.ignore_patterns("web"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    server = tmp_path / "src" / "flipdeck" / "server"
    message = 'class Planted(Command, frozen=True):\n    """A command that nobody handles."""'
    plant(tmp_path, "src/flipdeck/wire/client_messages.py", message, "AnyClientMessage")
    request = "@dataclass(frozen=True, slots=True)\nclass Planted:\n    pass"
    plant(tmp_path, "src/flipdeck/server/table/requests.py", request, "OwnRequest")
    plant(tmp_path, "src/flipdeck/server/table/entries.py", "class Planted(Entry, frozen=True):\n    pass", "AnyEntry")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "src")}

    checked = [str(server / name) for name in ("table/decide.py", "table/entries.py", "transport/session.py")]
    mypy = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", "--cache-dir", "cache", *checked],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert mypy.returncode == 1, mypy.stdout + mypy.stderr
    for place in ("server/table/decide.py", "server/table/entries.py", "server/transport/session.py"):
        assert re.search(rf"{place}:\d+: error: .*Planted", mypy.stdout), f"{place} forgets it:\n{mypy.stdout}"

    named = ("every_message", "every_internal_request", "every_entry")
    here = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", str(Path(__file__)), "-k"]
    tests = subprocess.run(
        [*here, " or ".join(named)], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    for name in named:
        assert re.search(rf"FAILED .*test_{name}", tests.stdout), f"test_{name} forgets it:\n{tests.stdout}"
