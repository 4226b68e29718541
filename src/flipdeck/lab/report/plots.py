"""Plots as inline SVG: Matplotlib draws them in placeholder colors that become CSS variables of the page.

So a plot follows light and dark mode; it contains no URL, so nothing is fetched.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from itertools import count
from typing import Any, cast

from matplotlib import rc_context
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from ..stats.histograms import Bars
from ..stats.intervals import Estimate

# placeholder: CSS variable
INK, MUTED, LINE, PAPER, A, B, DAY, NIGHT = (f"#0{i}0{i}0{i}" for i in range(1, 9))
_VARIABLES = {INK: "ink", MUTED: "muted", LINE: "line", PAPER: "paper", A: "a", B: "b", DAY: "day", NIGHT: "night"}
_STYLE: Any = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10.5,
    "text.color": INK,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": MUTED,
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "grid.color": LINE,
    "grid.linewidth": 0.8,
    "hatch.linewidth": 0.8,
    "hatch.color": PAPER,
    "legend.frameon": False,
    "legend.fontsize": 10,
    "xtick.color": MUTED,
    "xtick.major.size": 0,
    "ytick.color": MUTED,
    "ytick.major.size": 0,
}
_MARKS = (("o", A), ("D", B))  # distinct without color, too
_numbers = count()


class Plot:
    """``with drawing(…) as plot``: draw on ``plot.axes``; ``plot.svg`` is set when the block ends."""

    def __init__(self, axes: Any) -> None:
        self.axes = axes
        self.svg = ""


@contextmanager
def drawing(label: str, height: float = 3.1) -> Iterator[Plot]:
    name = f"plot{next(_numbers)}"
    style: Any = {**_STYLE, "svg.hashsalt": name}
    with rc_context(style):
        figure = Figure(figsize=(4.9, height), layout="constrained", facecolor="none")
        plot = Plot(figure.add_subplot())
        yield plot
        out, canvas = io.StringIO(), cast(Any, FigureCanvasSVG(figure))
        canvas.print_svg(out, metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
        plot.svg = _for_page(out.getvalue(), name, label)


def _for_page(svg: str, name: str, label: str) -> str:
    svg = re.sub(
        r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", svg[svg.index("<svg") :], flags=re.DOTALL
    )
    head, rest = svg.split(">", 1)
    box = re.search(r'viewBox="[^"]*"', head)
    used = set(re.findall(r"#([\w-]+)[\")]", rest))
    rest = re.sub(r' id="([^"]*)"', lambda m: f' id="{name}-{m[1]}"' if m[1] in used else "", rest)
    rest = re.sub(r'xlink:href="#', f'href="#{name}-', rest).replace("url(#", f"url(#{name}-")
    for stand_in, variable in _VARIABLES.items():
        rest = rest.replace(stand_in, f"var(--{variable})")
    return f'<svg {box[0] if box else ""} role="img" aria-label="{escape(label)}">{rest}'


# ---------------------------------------------------------------- the plots
def win_rates(
    label: str, places: Sequence[str], series: Sequence[tuple[str, Sequence[Estimate]]], below: str = ""
) -> str:
    """Win rates with intervals, one column per seat or place, and the line of an equal share."""
    with drawing(label) as plot:
        axes = plot.axes
        fair = 100 / len(places)
        axes.axhline(fair, color=INK, linewidth=1, linestyle=(0, (4, 3)))
        for i, (name, estimates) in enumerate(series):
            mark, color = _MARKS[i % 2]
            shift = 0.24 * (i - (len(series) - 1) / 2)
            known = [(x + shift, e) for x, e in enumerate(estimates) if e.value is not None]
            values = [100 * (e.value or 0) for _, e in known]
            ends = [
                (e.low, e.high) if e.low is not None and e.high is not None else (e.value, e.value) for _, e in known
            ]
            down = [value - 100 * (low or 0) for value, (low, _) in zip(values, ends, strict=True)]
            up = [100 * (high or 0) - value for value, (_, high) in zip(values, ends, strict=True)]
            axes.errorbar(
                [x for x, _ in known], values, [down, up], fmt=mark, color=color, markersize=6, capsize=4, label=name
            )
        axes.set_xticks(range(len(places)), places)
        axes.set_xlim(-0.6, len(places) - 0.4)
        axes.set_xlabel(below)
        axes.yaxis.set_major_formatter("{x:.4g} %")
        axes.margins(y=0.15)
        if len(series) > 1:
            _legend_above(axes, len(series))
    return plot.svg


def histogram(label: str, series: Sequence[tuple[str, Bars]], below: str, scale: float = 1.0) -> str:
    """A histogram in per cent; the second series is an outline over the first."""
    with drawing(label) as plot:
        axes = plot.axes
        width = scale * series[0][1].width
        start = -0.5 if width == 1 else 0.0  # bars are centered on whole numbers
        for i, (name, bars) in enumerate(series):
            heights = [100 * share for share in bars.shares]
            edges = [start + width * n for n in range(len(heights) + 1)]
            if i == 0:
                axes.stairs(heights, edges, fill=True, color=A, alpha=0.85 if len(series) == 1 else 0.5, label=name)
            else:
                axes.stairs(heights, edges, color=B, linewidth=1.8, label=name)
        longest = max(len(bars.shares) for _, bars in series)
        axes.set_xlim(start, start + width * longest)
        axes.set_ylim(bottom=0)
        axes.set_xlabel(below)
        axes.yaxis.set_major_formatter("{x:.4g} %")
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.xaxis.get_major_locator().set_params(integer=True)
        if len(series) > 1:
            _legend_above(axes, len(series))
    return plot.svg


def endings(label: str, names: Sequence[str], series: Sequence[tuple[str, Sequence[float]]]) -> str:
    """One stacked bar per setting: how its rounds ended."""
    looks = ((DAY, ""), (NIGHT, ""), (MUTED, "////"), (INK, "...."))
    with drawing(label, 1.3 + 0.45 * len(series)) as plot:
        axes = plot.axes
        axes.grid(visible=False)
        for row, (_, shares) in enumerate(series):
            start = 0.0
            for part, (name, share) in enumerate(zip(names, shares, strict=True)):
                color, hatch = looks[part]
                axes.barh(row, share, left=start, height=0.55, color=color, hatch=hatch, label=None if row else name)
                if share >= 9:
                    on = PAPER if color == NIGHT else "black"
                    axes.text(start + share / 2, row, f"{share:.1f} %", ha="center", va="center", color=on)
                start += share
        axes.set_yticks(range(len(series)), [name for name, _ in series])
        axes.invert_yaxis()
        axes.set_xlim(0, 100)
        axes.xaxis.set_major_formatter("{x:.0f} %")
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, handlelength=1.2)
    return plot.svg


def relative_differences(label: str, found: Sequence[tuple[str, Estimate]]) -> str:
    """B relative to A in per cent, with intervals; colored where the interval leaves out 0."""
    with drawing(label, 0.9 + 0.3 * len(found)) as plot:
        axes = plot.axes
        axes.grid(visible=True, axis="x")
        axes.grid(visible=False, axis="y")
        axes.axvline(0, color=INK, linewidth=1, linestyle=(0, (4, 3)))
        for row, (_, e) in enumerate(found):
            if e.value is None or e.low is None or e.high is None:
                continue
            color = B if e.leaves_out(0) else MUTED
            axes.plot([100 * e.low, 100 * e.high], [row, row], color=color, linewidth=2)
            axes.plot([100 * e.value], [row], "D", color=color, markersize=5.5)
        axes.set_yticks(range(len(found)), [name for name, _ in found])
        axes.set_ylim(len(found) - 0.4, -0.6)
        axes.xaxis.set_major_formatter("{x:+.4g} %")
        axes.margins(x=0.06)
    return plot.svg


def _legend_above(axes: Any, columns: int) -> None:
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=columns, handlelength=1.2)
