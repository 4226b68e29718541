"""The folder of a report is whole or absent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from flipdeck.lab.run.report_folder import FolderRefused, ReportFolder


def test_a_folder_is_put_in_place_whole(tmp_path: Path) -> None:
    place = tmp_path / "new" / "report"
    with ReportFolder(str(place)) as folder:
        (folder.path / "report.html").write_text("all of it")
        assert not place.exists()
        folder.put_in_place()
    assert [file.name for file in place.iterdir()] == ["report.html"]
    assert [file.name for file in place.parent.iterdir()] == ["report"]


def test_a_folder_that_is_not_finished_leaves_nothing(tmp_path: Path) -> None:
    with ReportFolder(str(tmp_path / "report")) as folder:
        (folder.path / "rounds.csv").write_text("half of it")
    assert list(tmp_path.iterdir()) == []


def test_an_earlier_report_gives_way_and_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    place = tmp_path / "report"
    place.mkdir()
    (place / "rounds.parquet").write_text("earlier")
    with ReportFolder(str(place)) as folder:
        (folder.path / "rounds.csv").write_text("new")
        (folder.path / "report.html").write_text("new")
        assert (place / "rounds.parquet").exists()
        folder.put_in_place()
    assert sorted(file.name for file in place.iterdir()) == ["report.html", "rounds.csv"]
    assert [file.name for file in tmp_path.iterdir()] == ["report"]


def test_a_folder_with_anything_else_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(FolderRefused, match=r"thesis\.tex"), ReportFolder(str(tmp_path)):
        raise AssertionError
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("name", ["a file", "a file/report", "report\0", "", "/"])
def test_a_folder_that_cannot_be_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "a file").write_text("text")
    with pytest.raises(FolderRefused), ReportFolder(name and os.path.join(tmp_path, name)):
        raise AssertionError
    assert [file.name for file in tmp_path.iterdir()] == ["a file"]


def test_a_disk_that_fails_later_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(FolderRefused, match="No space left"), ReportFolder(str(tmp_path / "report")):
        raise OSError(28, "No space left on device")
    assert list(tmp_path.iterdir()) == []
