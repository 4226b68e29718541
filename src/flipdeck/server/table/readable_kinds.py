"""What this server can read of a journal, in words for other servers (``known_kinds``).

A kind is the tag of an entry, a field that such entries did not have at first (``locked.reason``), the version of a
journal (its rules) or of a snapshot.  A server refuses to replay an entry with a field that it does not know.
"""

from __future__ import annotations

from typing import get_args

from . import entries, snapshot
from .entry import Entry

# The fields that entries had when servers began to tell each other; a new one is not added here.
BASE_FIELDS = {
    "made": "code settings seed replay bots host version awaits_host",
    "compacted": "state version",
    "sat": "host_here name token awaits_greeting address local",
    "botsat": "level banned address spared",
    "cleared": "banned address spared",
    "unbanned": "name",
    "takenaway": "",
    "locked": "locked",
    "speedset": "speed",
    "hostcame": "",
    "greeted": "",
    "stoodin": "level why address",
    "returned": "",
    "voted": "on",
    "reserved": "name token awaits_greeting address local",
    "unreserved": "",
    "tokenadded": "token",
    "transferred": "token",
    "pledged": "pledge",
    "frozen": "dealer",
    "closed": "word",
    "started": "dealer values",
    "moved": "move number who slow",
    "saidready": "",
    "nextround": "takes",
    "rematched": "seed replay takes",
}
_COMMON = set(Entry.__struct_fields__)


def _new_fields(kind: type[Entry]) -> tuple[str, ...]:
    known = {*_COMMON, *BASE_FIELDS.get(str(kind.__struct_config__.tag), "").split()}
    return tuple(name for name in kind.__struct_fields__ if name not in known)


_NEW_FIELDS = {kind: fields for kind in get_args(entries.AnyEntry) if (fields := _new_fields(kind))}
_JOURNAL, _SNAPSHOT = f"journal-{entries.VERSION}", f"snapshot-{snapshot.VERSION}"
READABLE_KINDS = (
    entries.ENTRY_KINDS
    | {_JOURNAL, _SNAPSHOT}
    | {f"{kind.__struct_config__.tag}.{name}" for kind, names in _NEW_FIELDS.items() for name in names}
)
# What servers could read when they began to tell each other.  A new kind is not added here: it is written as soon as
# all servers that live can read it.
BASE_KINDS = frozenset(
    {
        *("made", "compacted", "sat", "botsat", "cleared", "unbanned", "takenaway", "locked", "speedset", "hostcame"),
        *("greeted",),
        *("stoodin", "returned", "voted", "reserved", "unreserved", "tokenadded", "transferred", "pledged", "frozen"),
        *("closed", "started", "moved", "saidready", "nextround", "rematched", "journal-2", "snapshot-1"),
    }
)


def kinds_in(entry: entries.AnyEntry) -> tuple[str, ...]:
    """What a server has to know to read it."""
    tag = str(entry.__struct_config__.tag)
    if isinstance(entry, entries.Compacted):
        return tag, _JOURNAL, _SNAPSHOT
    if isinstance(entry, entries.Made):
        return tag, _JOURNAL
    names = _NEW_FIELDS.get(type(entry), ())
    return (tag, *(f"{tag}.{name}" for name in names if getattr(entry, name) != defaults_of(entry)[name]))


def defaults_of(entry: entries.AnyEntry) -> dict[str, object]:
    """A field with its default is not written (``omit_defaults``)."""
    kind = type(entry)
    last = len(kind.__struct_defaults__)
    return dict(zip(kind.__struct_fields__[-last:], kind.__struct_defaults__, strict=True)) if last else {}
