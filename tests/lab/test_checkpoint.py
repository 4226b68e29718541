"""What was written down whole is there again; what is torn is cut off; what is not ours is left alone."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from flipdeck.lab.run.checkpoint import NAME, Checkpoint, seed_in
from flipdeck.lab.run.report_folder import FolderRefused

ABOUT = {"bots": ("a", "b"), "rounds": 8, "seed": "abc"}


def read(number: int, told: Any) -> int:
    if told["n"] != number:
        raise ValueError("another one")
    return int(told["n"])


def opened(folder: Path, about: dict[str, Any] | None = None) -> Checkpoint:
    return Checkpoint(str(folder), about or ABOUT, read)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder where three shards are finished."""
    place = tmp_path / "out"
    with opened(place) as checkpoint:
        assert checkpoint.kept == []
        for number in range(3):
            checkpoint.keep(number, {"n": number})
    return place


def test_a_run_goes_on_after_what_was_written(folder: Path) -> None:
    with opened(folder) as checkpoint:
        assert checkpoint.kept == [0, 1, 2]
        checkpoint.keep(3, {"n": 3})
    with opened(folder) as checkpoint:
        assert checkpoint.kept == [0, 1, 2, 3]


def test_every_line_is_on_the_disk_at_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr("flipdeck.lab.run.checkpoint.os.fsync", lambda file: synced.append(os.fstat(file).st_size))
    with opened(folder) as checkpoint:
        checkpoint.keep(3, {"n": 3})
        assert synced == [(folder / NAME).stat().st_size]


def test_wherever_the_file_is_torn_what_is_whole_before_it_is_kept(folder: Path) -> None:
    data = (folder / NAME).read_bytes()
    for length in range(len(data)):
        (folder / NAME).write_bytes(data[:length])
        whole = max(data[:length].count(b"\n") - 1, 0)
        with opened(folder) as checkpoint:
            assert checkpoint.kept == list(range(whole))
            for number in range(whole, 3):
                checkpoint.keep(number, {"n": number})
        assert (folder / NAME).read_bytes() == data


@pytest.mark.parametrize("damage", [b"\0\0\0\0\n", b'{"n": 7}\n', b"{}\n", b"[]\n", b"null\n", b"\xff\n"])
def test_what_follows_a_damaged_line_is_played_again(folder: Path, damage: bytes) -> None:
    first, one, _, three = (folder / NAME).read_bytes().splitlines(keepends=True)
    (folder / NAME).write_bytes(first + one + damage + three)
    with opened(folder) as checkpoint:
        assert checkpoint.kept == [0]
    assert (folder / NAME).read_bytes() == first + one


def test_another_run_is_refused_and_left_as_it_is(folder: Path) -> None:
    before = (folder / NAME).read_bytes()
    with pytest.raises(FolderRefused, match=r"holds another run, which differs in rounds, seed: name another folder\."):
        opened(folder, {**ABOUT, "rounds": 9, "seed": "x"}).__enter__()
    assert (folder / NAME).read_bytes() == before


@pytest.mark.parametrize("text", ["Dear diary\n", "Dear diary", "[1]\n", "{"])
def test_a_file_that_is_none_of_ours_is_refused_and_left_as_it_is(tmp_path: Path, text: str) -> None:
    (tmp_path / NAME).write_text(text)
    if text == "{":  # that is how ours begin
        opened(tmp_path).__enter__().__exit__(None, None, None)
        return
    with pytest.raises(FolderRefused, match="that is none of ours"):
        opened(tmp_path).__enter__()
    assert (tmp_path / NAME).read_text() == text


def test_two_runs_do_not_write_to_one_folder(folder: Path) -> None:
    with opened(folder), pytest.raises(FolderRefused, match="Another run is writing to "):
        opened(folder).__enter__()


def test_shards_are_written_down_in_order(folder: Path) -> None:
    with opened(folder) as checkpoint, pytest.raises(ValueError, match="shard 5 is written before shard 3"):
        checkpoint.keep(5, {})


def test_nothing_finished_leaves_nothing_behind(tmp_path: Path) -> None:
    with opened(tmp_path / "out"):
        assert (tmp_path / "out" / NAME).exists()
    assert list(tmp_path.iterdir()) == []
    with opened(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(FolderRefused, match="can't be written: "):
        opened(tmp_path / "file").__enter__()


def test_a_full_disk_is_told_in_a_sentence(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with opened(folder) as checkpoint:
        monkeypatch.setattr("flipdeck.lab.run.checkpoint.os.write", full)
        with pytest.raises(FolderRefused, match=r"can't be written: No space left on device\."):
            checkpoint.keep(3, {"n": 3})
        monkeypatch.undo()


@pytest.mark.parametrize("text", [None, "", "[]\n", '{"seed": 7}\n', "nonsense\n"])
def test_the_seed_of_a_run_is_found_in_its_folder_or_not(tmp_path: Path, folder: Path, text: str | None) -> None:
    assert seed_in(str(folder)) == "abc"
    if text is not None:
        (tmp_path / NAME).write_text(text)
    assert seed_in(str(tmp_path)) is None


def test_the_file_is_lines_of_json(folder: Path) -> None:
    lines = [json.loads(line) for line in (folder / NAME).read_text().splitlines()]
    assert lines == [{**ABOUT, "bots": ["a", "b"]}, {"n": 0}, {"n": 1}, {"n": 2}]
