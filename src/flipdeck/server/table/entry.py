"""What all entries of a table's journal have."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ...core.events import Event

Events = Sequence[Event]  # of the game


class Entry(Struct, frozen=True, tag_field="what", tag=str.lower, omit_defaults=True, kw_only=True):
    seat: int = -1  # that it is about
    by: int = -1  # the seat whose command it was, if any
    cmd_id: str = ""
