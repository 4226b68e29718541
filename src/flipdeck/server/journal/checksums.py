"""Checksums of what is stored: 64 bits over a row and its place, so that a row in another place is found as well.

They find what a disk, a copy or a hand has changed.  Whoever can write the file can write checksums too.
"""

from __future__ import annotations

from hashlib import blake2b


def checksum(place: str, seq: int, body: bytes) -> int:
    """A signed 64-bit integer, as databases store them."""
    digest = blake2b(b"%b\0%d\0%b" % (place.encode(), seq, body), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def is_sound(total: object, place: str, seq: int, body: object) -> bool:
    """Whether this is what was written; damage may have changed the type of a value too."""
    return isinstance(body, bytes) and total == checksum(place, seq, body)


def clock_checksum(table: str, seq: int, left_ms: int) -> int:
    return checksum(table, seq, b"clock %d" % left_ms)


def compaction_checksum(table: str, seq: int) -> int:
    return checksum(table, seq, b"compacted")


def replay_bytes(record: bytes, names: bytes, levels: bytes) -> bytes:
    """What the checksum of a replay is about."""
    return b"\0".join((record, names, levels))
