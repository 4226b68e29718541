"""The learning curve as text, for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

HEIGHT, WIDTH = 10, 64


def curve(
    series: Mapping[str, Sequence[tuple[int, float]]], last: int, height: int = HEIGHT, width: int = WIDTH
) -> list[str]:
    """Win rates over steps 0 to ``last``: each series is drawn with its letter, later ones over earlier ones."""
    values = [value for points in series.values() for _, value in points]
    if not values:
        return []
    low, high = _bounds(values)
    grid = [[" "] * width for _ in range(height)]
    for letter, points in series.items():
        for step, value in _interpolate(points, last, width):
            row = round((high - value) / (high - low) * (height - 1))
            grid[row][min(width - 1, step * width // max(last, 1))] = letter
    labels = [high - (high - low) * row / (height - 1) for row in range(height)]
    lines = [f"{label:6.1%} │{''.join(row).rstrip()}" for label, row in zip(labels, grid, strict=True)]
    return [*lines, f"{'':6} └{'─' * width}", f"{'':8}0{last:>{width - 1}} steps"]


def _bounds(values: Sequence[float]) -> tuple[float, float]:
    """The range of the axis, in whole tenths."""
    low, high = int(min(values) * 10) / 10, min(1.0, (int(max(values) * 10) + 1) / 10)
    return (low, high) if high > low else (low - 0.1, high)


def _interpolate(points: Sequence[tuple[int, float]], last: int, width: int) -> list[tuple[int, float]]:
    """The points, interpolated where a column would have none."""
    found = list(points)
    for (step, value), (then, later) in pairwise(points):
        gap = max(1, last // width)
        for between in range(step + gap, then, gap):
            found.append((between, value + (later - value) * (between - step) / (then - step)))
    return found
