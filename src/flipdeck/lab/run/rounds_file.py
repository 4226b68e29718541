"""The table of rounds as CSV or Parquet, one row per round, streamed to disk as shards finish."""

from __future__ import annotations

from abc import ABC, abstractmethod
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from ...bulk import rows
from ...bulk.batches import IntArray
from ...core.events import What
from ..stats.summary import Summary
from .shards import Part

FORMATS = ("csv", "parquet")
_OWN = (
    *("match", "round", "dealer", "winner", "match_won_by", "decisions", "dark_decisions", "turns", "forced_keeps"),
    *("missed_uno", "points", "ended_dark", "unfinished"),
)
_BEFORE_THE_ROUND = (What.DEALER_CARD, What.DEALER_CHOSEN)
_EVENTS = [number for number, what in enumerate(What) if what not in _BEFORE_THE_ROUND]
_ORDER = [*range(rows.MATCH, rows.WIDTH), *_EVENTS]
# ``match_won_by`` is a bit set of seats; the column of an event counts how often it happened in the round
COLUMNS = (*_OWN, *(list(What)[number].value for number in _EVENTS))


class RoundsFile(ABC):
    @abstractmethod
    def write(self, table: IntArray) -> None: ...

    @abstractmethod
    def close(self) -> None: ...

    def keep(self, result: Part[Summary]) -> None:
        """Write the rows of a result; its job must keep them."""
        if result.rows is None:
            raise ValueError("the job keeps no rows")
        self.write(result.rows)


def in_order(table: IntArray) -> IntArray:
    """Rows with the columns of the file; an extra leading column stays in front."""
    extra = table.shape[1] - rows.WIDTH
    return table[:, [*range(extra), *(extra + column for column in _ORDER)]]


class CsvFile(RoundsFile):
    def __init__(self, path: Path, before: tuple[str, ...] = ()) -> None:
        self._file = path.open("w", encoding="ascii", newline="\n")
        self._file.write(",".join((*before, *COLUMNS)) + "\n")

    def write(self, table: IntArray) -> None:
        self._file.writelines(",".join(map(str, row)) + "\n" for row in in_order(table).tolist())

    def close(self) -> None:
        self._file.close()


class ParquetFile(RoundsFile):
    """Row groups are large enough to compress well."""

    GROUP = 1 << 16

    def __init__(self, path: Path, before: tuple[str, ...] = ()) -> None:
        self._names = (*before, *COLUMNS)
        self._arrow: Any = import_module("pyarrow")
        schema = self._arrow.schema([(name, self._arrow.int64()) for name in self._names])
        parquet: Any = import_module("pyarrow.parquet")
        self._writer: Any = parquet.ParquetWriter(path, schema, compression="zstd")
        self._waiting: list[IntArray] = []

    def write(self, table: IntArray) -> None:
        self._waiting.append(in_order(table))
        if sum(map(len, self._waiting)) >= self.GROUP:
            self._write_group()

    def close(self) -> None:
        if self._waiting:
            self._write_group()
        self._writer.close()

    def _write_group(self) -> None:
        group = np.concatenate(self._waiting)
        self._waiting.clear()
        columns = [self._arrow.array(np.ascontiguousarray(group[:, i])) for i in range(len(self._names))]
        self._writer.write_table(self._arrow.table(columns, names=list(self._names)))


def can_write(kind: str) -> bool:
    return kind != "parquet" or find_spec("pyarrow") is not None


def open_table(folder: Path, kind: str, before: tuple[str, ...] = ()) -> RoundsFile:
    path = folder / f"rounds.{kind}"
    return ParquetFile(path, before) if kind == "parquet" else CsvFile(path, before)
