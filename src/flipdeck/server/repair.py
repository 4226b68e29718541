"""Damage in the folder of a server that is stopped: what is lost, and going on from the state before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from .journal.database_file import database
from .journal.high_water import HighWaterFile, Mark, missing_since
from .journal.repair_rows import TableDamage, cut, examine, find_damaged_replays, find_damaged_tables, remove
from .table import entries, snapshot
from .table.waking import NONSENSE


class Repair:
    """Of one folder; nobody else may use it meanwhile."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @contextmanager
    def begin(self) -> Iterator[Repair]:
        with database(self._path) as self._db, closing(HighWaterFile(self._path)) as self._marks:
            yield self

    @property
    def mark(self) -> Mark:
        """The last entry that was acknowledged, and whether the files were found to be others."""
        return self._marks.mark

    def missing_since(self) -> int | None:
        """The last entry there is of the marked table, if it should have more."""
        return missing_since(self._db, self.mark)

    def accept_missing(self) -> None:
        self._marks.write(Mark())

    def tables(self) -> list[TableDamage]:
        return list(find_damaged_tables(self._db, count_good))

    def table(self, code: str) -> TableDamage | None:
        return examine(self._db, code, count_good)

    def replays(self) -> list[str]:
        return list(find_damaged_replays(self._db))

    def cut(self, damage: TableDamage) -> None:
        cut(self._db, damage.code, damage.good)
        self._forget(damage.code)

    def remove(self, damage: TableDamage) -> None:
        remove(self._db, damage.code)
        self._forget(damage.code)

    def _forget(self, code: str) -> None:
        if self.mark.table == code:
            self._marks.write(self.mark._replace(table="", seq=0))


def count_good(bodies: Sequence[bytes]) -> int:
    """How many of the entries, from the first, can be replayed.  Those of version 1 are not: nobody plays on there."""
    good = 0
    try:
        if bodies and entries.version_of(bodies[0]) != entries.VERSION:
            return len(bodies)
        state = entries.replay(bodies[:1]) if bodies else None
        for body in bodies:
            if good and state is not None:
                entries.apply(state, entries.decode(body))
            good += 1
    except NONSENSE:
        pass
    return good


def readable_snapshot(damage: TableDamage) -> int | None:
    """The entry after which there is a snapshot to wake the table from, so that nothing is lost."""
    for stored in damage.snapshots:
        state = snapshot.from_bytes(stored.body)
        if state is not None and (state.code, state.version) == (damage.code, stored.seq):
            return stored.seq
    return None
