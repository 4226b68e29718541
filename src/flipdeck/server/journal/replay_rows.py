"""The replays of a SQLite file."""

from __future__ import annotations

import json
import sqlite3

from . import Damaged, ReplayPlayer, StoredReplay
from .checksums import checksum, is_sound, replay_bytes


def row_of(replay: StoredReplay, now: float) -> tuple[str, str, str, str, float, int]:
    names, levels = [player.name for player in replay.players], [player.level for player in replay.players]
    texts = replay.record, json.dumps(names), json.dumps(levels)
    total = checksum(replay.name, 0, replay_bytes(*(text.encode() for text in texts)))
    return replay.name, *texts, now, total


def keep_replay(db: sqlite3.Connection, row: tuple[str, str, str, str, float, int]) -> None:
    db.execute(
        "INSERT INTO replays (name, record, names, levels, touched, sum) VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (name) DO NOTHING",
        row,
    )


_REPLAY = (
    "SELECT CAST(record AS BLOB), CAST(names AS BLOB), CAST(levels AS BLOB), sum FROM replays "
    "WHERE name = ?"  # as bytes: a damaged text may be none
)


def find_replay(db: sqlite3.Connection, name: str) -> StoredReplay | None:
    found = db.execute(_REPLAY, (name,)).fetchone()
    if found is None:
        return None
    *texts, total = found
    if not all(isinstance(text, bytes) for text in texts) or not is_sound(total, name, 0, replay_bytes(*texts)):
        raise Damaged(name)
    record, names, levels = texts
    players = [ReplayPlayer(*each) for each in zip(json.loads(names), json.loads(levels), strict=True)]
    return StoredReplay(name, record.decode(), players)
