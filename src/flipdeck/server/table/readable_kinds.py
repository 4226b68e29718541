"""What this server can read of a journal, in words for other servers (``known_kinds``).

A kind is the tag of an entry, the version of a journal (its rules) or of a snapshot.  What changes the meaning of
entries is a new kind: a new field too, as a server refuses to replay an entry with one that it does not know.
"""

from __future__ import annotations

from . import entries, snapshot

_JOURNAL, _SNAPSHOT = f"journal-{entries.VERSION}", f"snapshot-{snapshot.VERSION}"
READABLE_KINDS = entries.ENTRY_KINDS | {_JOURNAL, _SNAPSHOT}
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
    return (tag, _JOURNAL) if isinstance(entry, entries.Made) else (tag,)
