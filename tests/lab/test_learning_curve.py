"""The learning curve as text."""

from __future__ import annotations

from flipdeck.lab.train.learning_curve import curve


def test_a_curve_rises_from_left_to_right() -> None:
    lines = curve({"2": [(0, 0.5), (50, 0.6), (100, 0.7)]}, last=100, height=5, width=20)
    marks = [(row, line.index("2", 8)) for row, line in enumerate(lines[:5]) if "2" in line[8:]]
    assert marks == sorted(marks)
    assert [at for _, at in marks] == sorted((at for _, at in marks), reverse=True)
    assert lines[0].startswith(" 80.0% │")
    assert lines[4].startswith(" 50.0% │")
    assert lines[-1].endswith("100 steps")
    assert curve({"2": []}, last=100) == []
