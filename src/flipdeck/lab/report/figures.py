"""The figures of a page on one setting, or on two.  It needs Matplotlib."""

from __future__ import annotations

from collections.abc import Sequence

from ...bulk.batches import Setting
from ..stats import histograms
from ..stats.intervals import Estimate
from ..stats.measures import ENDINGS, Measure
from ..stats.pair_summary import PairSummary
from ..stats.summary import Summary
from . import plots
from .report_page import figure

BARS = 40
Named = Sequence[tuple[str, Summary]]


def plots_of(setting: Setting, summary: Summary) -> str:
    """The figures of a page on one setting."""
    scored = setting.rules().scoring != "quick"
    drawn = [_wins(setting, summary, scored), _wins_by_place(summary, scored)]
    drawn += _sizes([("", summary)], scored)
    drawn.append(_endings([("", summary)]))
    return "".join(drawn)


def plots_of_pair(pair: PairSummary, shown: Sequence[Measure], scored: bool) -> str:
    """The figures of a page on two settings."""
    named: Named = [("A", pair), ("B", pair.other)]
    relative = [(m.title, pair.relative(m)) for m in shown if m.place is None]
    known = [(title, found) for title, found in relative if found.low is not None]
    drawn = [
        figure(
            "What changes",
            "B relative to A in per cent, with 95 % intervals; grey where the difference is not significant.",
            plots.relative_differences("Differences between B and A with their intervals", known),
            wide=True,
        )
    ]
    if pair.players == pair.other.players:
        for key, title, below, places in (
            ("match_win_rate", "Matches won, by seat", "seat", list(map(str, range(pair.players)))),
            (
                "match_win_rate_by_place",
                "Matches won, by place",
                "from the first dealer to the left",
                _places(pair.players),
            ),
        ):
            found = [(name, [s.estimate(m) for m in s.measures if m.key == key]) for name, s in named]
            note = "With 95 % intervals; the dashed line is an equal share."
            drawn.append(figure(title, note, plots.win_rates(title, places, found, below)))
    drawn += _sizes(named, scored)
    drawn.append(_endings(named))
    return "".join(drawn)


def _places(players: int) -> list[str]:
    return ["dealer", *(f"+{place}" for place in range(1, players))]


def _series(summary: Summary, match_key: str, round_key: str, scored: bool) -> list[tuple[str, list[Estimate]]]:
    keys = {"matches": match_key} | ({"rounds": round_key} if scored else {})
    return [(name, [summary.estimate(m) for m in summary.measures if m.key == key]) for name, key in keys.items()]


def _wins(setting: Setting, summary: Summary, scored: bool) -> str:
    seats = [str(seat) for seat in range(summary.players)]
    if len(set(setting.policies)) > 1:
        seats = [f"{seat}\n{policy}" for seat, policy in zip(seats, setting.policies, strict=True)]
    series = _series(summary, "match_win_rate", "round_win_rate", scored)
    note = "With 95 % intervals; the dashed line is an equal share."
    return figure("Won, by seat", note, plots.win_rates("Share won by each seat", seats, series, "seat"))


def _wins_by_place(summary: Summary, scored: bool) -> str:
    series = _series(summary, "match_win_rate_by_place", "round_win_rate_by_place", scored)
    svg = plots.win_rates("Share won by place", _places(summary.players), series, "places to the left of the dealer")
    note = "From the first dealer of a match, and from the dealer of a round." if scored else "From the dealer."
    return figure("Won, by place at the table", note, svg)


def _sizes(named: Named, scored: bool) -> list[str]:
    drawn = [_histogram("How long a round is", "decisions_of_round", "decisions", named)]
    if scored:
        drawn.append(_histogram("What a round is worth", "points_of_round", "points", named))
        drawn.append(_histogram("How long a match is", "rounds_of_match", "rounds", named))
    shares = [(name, _shares(s.histograms["dark_share_of_round"].tolist())) for name, s in named]
    label = "Share of the decisions of a round on the dark side"
    svg = plots.histogram(label, shares, "per cent of the decisions of a round", 100 / histograms.SHARES)
    drawn.append(figure("Time on the dark side", "Rounds by the share of their decisions made there.", svg))
    return drawn


def _histogram(title: str, key: str, unit: str, named: Named) -> str:
    counts = [s.histograms[key].tolist() for _, s in named]
    width = max(histograms.bar_width(each, BARS) for each in counts)
    series = [(name, histograms.bars(each, width, BARS)) for (name, _), each in zip(named, counts, strict=True)]
    notes = []
    for (name, bars), each in zip(series, counts, strict=True):
        half, most = histograms.quantile(each, 0.5), histograms.quantile(each, 0.95)
        beyond = f"; {100 * bars.beyond:.1f} % lie beyond the plot" if bars.beyond > 0.0005 else ""
        who = f"{name}: half" if name else "Half"
        notes.append(f"{who} have up to about {half:,} {unit}, 19 in 20 up to about {most:,}{beyond}.")
    return figure(title, " ".join(notes), plots.histogram(title, series, unit))


def _shares(counts: list[int]) -> histograms.Bars:
    total = sum(counts) or 1
    return histograms.Bars(1, [many / total for many in counts], 0)


def _endings(named: Named) -> str:
    names = ["out, light side", "out, dark side", "void", "given up"]
    series = [(name, [100 * (s.estimate(m).value or 0) for m in ENDINGS]) for name, s in named]
    return figure("How rounds ended", "And on which side.", plots.endings("How rounds ended", names, series))
