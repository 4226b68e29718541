"""Encodes what each seat and spectator is sent for a step.

All of it comes from ``Match.view_text`` and ``Match.seen``: here it is put together, not decided.  What is
the same for everybody is written once and put into every message.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

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
    tail = b',"clock":%b,"table":%b}' % (_encode(clock), _encode(table))
    if match is None:
        return {
            viewer: b'{"type":"update","version":%d,"you":%b,"events":[],"view":null%b' % (version, _you(viewer), tail)
            for viewer in viewers
        }
    told_of = EventTexts()
    all_seen = zip(viewers, match.seen_by_each(events, viewers), match.view_texts(viewers), strict=True)
    return {
        viewer: b'{"type":"update","version":%d,"you":%b,"events":[%b],"view":%b%b'
        % (version, _you(viewer), told_of.seen(seen), view.encode(), tail)
        for viewer, seen, view in all_seen
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
        told_of = EventTexts()
        seen = ((number, match.seen(events, you) if match else ()) for number, events in missed)
        steps = b"[" + b",".join(b'{"version":%d,"events":[%b]}' % (n, told_of.seen(e)) for n, e in seen) + b"]"
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


class EventTexts:
    """Events as JSON; one that two viewers see alike is written once."""

    def __init__(self) -> None:
        self._texts: dict[int, bytes] = {}
        self._kept: list[Event] = []  # an id is one's own only while one lives

    def seen(self, events: Iterable[Event]) -> bytes:
        return b",".join(map(self._text, events))

    def _text(self, event: Event) -> bytes:
        text = self._texts.get(id(event))
        if text is None:
            text = self._texts[id(event)] = _encode(event.to_dict())
            self._kept.append(event)
        return text


def _you(viewer: Viewer) -> bytes:
    return b"null" if viewer is None else b"%d" % viewer
