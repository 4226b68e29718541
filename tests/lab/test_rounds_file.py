"""The table of rounds holds every round as it was counted, in either format."""

from __future__ import annotations

import csv
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flipdeck.bulk import rows
from flipdeck.bulk.batches import Setting
from flipdeck.lab.experiments import MatchJob
from flipdeck.lab.run.execution import on_threads
from flipdeck.lab.run.rounds_file import COLUMNS, FORMATS, can_write, open_table
from flipdeck.lab.run.shards import Part
from flipdeck.lab.stats.summary import Summary

JOB = MatchJob(Setting(policies=("eager",)), bytes([5] * 32), 600, keep=True)


@pytest.fixture(scope="module")
def results() -> list[Part[Summary]]:
    return sorted(on_threads(JOB, JOB.shards(), 1), key=lambda result: result.shard.number)


def read(path: Path) -> dict[str, list[int]]:
    if path.suffix == ".parquet":
        parquet: Any = import_module("pyarrow.parquet")
        columns: dict[str, list[int]] = parquet.read_table(path).to_pydict()
        return columns
    with path.open(newline="") as file:
        lines = list(csv.reader(file))
    return {name: [int(line[i]) for line in lines[1:]] for i, name in enumerate(lines[0])}


@pytest.mark.parametrize("kind", FORMATS)
def test_what_is_written_is_what_was_played(kind: str, results: list[Part[Summary]], tmp_path: Path) -> None:
    table = open_table(tmp_path, kind)
    for result in results:
        table.keep(result)
    table.close()
    found = read(tmp_path / f"rounds.{kind}")
    played = np.concatenate([result.rows for result in results if result.rows is not None])
    assert tuple(found) == COLUMNS
    assert found["match"] == played[:, rows.MATCH].tolist()
    assert found["match_won_by"] == played[:, rows.WON_BY].tolist()
    assert found["unfinished"] == played[:, rows.UNFINISHED].tolist()
    assert sum(found["drew"]) == sum(result.summary.total("drew") for result in results)
    assert sum(found["round_void"]) == 0
    assert sum(found["won"]) == 600


@pytest.mark.parametrize("kind", FORMATS)
def test_a_table_can_have_a_column_before_the_others(kind: str, tmp_path: Path) -> None:
    table = open_table(tmp_path, kind, ("setting",))
    row = np.arange(rows.WIDTH + 1, dtype=np.int64)
    table.write(row.reshape(1, -1))
    table.close()
    found = read(tmp_path / f"rounds.{kind}")
    assert tuple(found) == ("setting", *COLUMNS)
    assert found["setting"] == [0]
    assert found["match"] == [rows.MATCH + 1]


def test_large_tables_are_written_in_groups(results: list[Part[Summary]], tmp_path: Path) -> None:
    table = open_table(tmp_path, "parquet")
    for result in results * 14:
        table.keep(result)
    table.close()
    parquet: Any = import_module("pyarrow.parquet")
    assert parquet.ParquetFile(tmp_path / "rounds.parquet").metadata.num_row_groups > 1
    assert len(read(tmp_path / "rounds.parquet")["match"]) == 14 * sum(result.summary.rounds for result in results)


def test_a_job_that_keeps_no_rows_has_none_to_write(results: list[Part[Summary]], tmp_path: Path) -> None:
    table = open_table(tmp_path, "csv")
    with pytest.raises(ValueError, match="keeps no rows"):
        table.keep(Part(results[0].shard, results[0].summary, None))
    table.close()


def test_parquet_needs_pyarrow_and_csv_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flipdeck.lab.run.rounds_file.find_spec", lambda name: None if name == "pyarrow" else name)
    assert can_write("csv")
    assert not can_write("parquet")
