"""What all entries of a table's journal have."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ...core.events import Event

Events = Sequence[Event]  # of the game


class UnknownEntry(Exception):  # noqa: N818
    """A newer server has written it: this one leaves the table alone."""


class Entry(
    Struct, frozen=True, tag_field="what", tag=str.lower, omit_defaults=True, kw_only=True, forbid_unknown_fields=True
):
    """A server that does not know a field of an entry must not replay it as if it were not there: a new field is a new
    kind (``readable_kinds``).
    """

    seat: int = -1  # that it is about
    by: int = -1  # the seat whose command it was, if any
    cmd_id: str = ""
