"""Encodes what each seat and spectator is sent for a step.

All of it comes from ``Match.view_texts`` and ``Match.event_texts``: here it is put together, not decided.  What is the
same for everybody is written once and put into every message.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import repeat

import msgspec

from ...core.events import Event
from ...core.match import Match
from ...wire import PROTOCOL, server_messages
from ...wire.parts import ClockInfo, TableInfo

Viewer = int | None  # a seat; None is a spectator
_encode = msgspec.json.Encoder().encode


def frame(message: server_messages.AnyServerMessage) -> bytes:
    return _encode(message)


def updates(
    version: int,
    events: Sequence[Event],
    match: Match | None,
    viewers: Collection[Viewer],
    clock: ClockInfo | None,
    table: TableInfo | None,
) -> dict[Viewer, bytes]:
    """An ``update`` for each of the viewers."""
    head, tail = f'{{"type":"update","version":{version},"you":', f',"clock":{_text(clock)},"table":{_text(table)}}}'
    if match is None:
        shown = zip(viewers, repeat(""), repeat("null"))
    else:
        shown = zip(viewers, match.event_texts(events, viewers), match.view_texts(viewers), strict=True)
    return {
        viewer: f'{head}{_you(viewer)},"events":[{seen}],"view":{view}{tail}'.encode() for viewer, seen, view in shown
    }


def welcome(
    server: str,
    you: Viewer,
    version: int,
    table: TableInfo,
    match: Match | None,
    clock: ClockInfo | None,
    missed: Iterable[tuple[int, Sequence[Event]]] | None,
    chat: Iterable[server_messages.ChatLine],
) -> bytes:
    """The answer to a greeting."""
    steps: bytes = b"null"
    if missed is not None:
        steps = f"[{','.join(_steps(missed, match, you))}]".encode()
    raw = {
        "type": "welcome",
        "protocol": PROTOCOL,
        "server": server,
        "you": you,
        "version": version,
        "table": table,
        "view": msgspec.Raw(match.view_text(you).encode()) if match else None,
        "clock": clock,
        "missed": msgspec.Raw(steps),
        "chat": list(chat),
    }
    return _encode(raw)


def _steps(missed: Iterable[tuple[int, Sequence[Event]]], match: Match | None, you: Viewer) -> Iterator[str]:
    for version, events in missed:
        seen = match.event_texts(events, (you,))[0] if match else ""
        yield f'{{"version":{version},"events":[{seen}]}}'


def _you(viewer: Viewer) -> str:
    return "null" if viewer is None else str(viewer)


def _text(thing: ClockInfo | TableInfo | None) -> str:
    return "null" if thing is None else _encode(thing).decode()
