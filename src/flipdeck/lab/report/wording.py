"""Settings, figures and results in words, for text, HTML and the command that repeats a run."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from math import floor, log10

from ...bulk.batches import Setting
from ...core import editions
from ...core.options import text_of_option
from ..stats import intervals
from ..stats.intervals import Estimate
from ..stats.measures import Measure, groups
from ..stats.pair_summary import PairSummary
from ..stats.summary import Summary

NONE = "–"


# ---------------------------------------------------------------- settings
def changes(setting: Setting) -> list[str]:
    """The options that differ from the edition, as NAME=VALUE."""
    differences = setting.rules().differences(editions.edition(setting.edition).options)
    return [f"{name}={text_of_option(value)}" for name, value in sorted(differences.items())]


def title_of(setting: Setting) -> str:
    return editions.edition(setting.edition).title


def describe(setting: Setting) -> str:
    title = title_of(setting)
    players = "all " + setting.policies[0] if len(set(setting.policies)) == 1 else ", ".join(setting.policies)
    return "; ".join([f"{title}, {setting.players} players ({players})", *changes(setting)])


def arguments(setting: Setting) -> list[str]:
    """The command-line arguments of this setting."""
    words = ["--edition", setting.edition, "--players", str(setting.players)]
    for change in changes(setting):
        words += ["--option", change]
    return [*words, "--policy", ",".join(setting.policies)]


def as_pairs(setting: Setting) -> str:
    """The setting in the syntax of ``--a`` and ``--b``."""
    own = [f"edition={setting.edition}", f"players={setting.players}", f"policy={','.join(setting.policies)}"]
    return ",".join([*own, *changes(setting)])


def command(*words: object) -> str:
    return shlex.join(["flipdeck", *map(str, words)])


def argument(name: str, value: str) -> list[str]:
    """An argument and its value; a value that looks like an argument is tied to its name."""
    return [f"{name}={value}"] if value.startswith("-") else [name, value]


def where(many: int | None, kind: str = "thread") -> str:
    if many is None:
        return "a cluster"
    return f"1 {kind}" if many == 1 else f"{many} {kind}s"


# ---------------------------------------------------------------- numbers
def number(value: float, decimals: int) -> str:
    return f"{value:,.{decimals}f}".replace("-", "−")


def decimals_for(estimate: Estimate, share: bool) -> int:
    """Enough decimals for two significant digits of the interval."""
    unit = 100 if share else 1
    if estimate.low is not None and estimate.high is not None and estimate.high > estimate.low:
        half = unit * (estimate.high - estimate.low) / 2
        return min(max(1 - floor(log10(half)), 0), 6)
    value = unit * abs(estimate.value or 0)
    return 0 if value == round(value) else 2


def value_text(estimate: Estimate, share: bool, signed: bool = False) -> str:
    if estimate.value is None:
        return NONE
    value = (100 if share else 1) * estimate.value
    text = number(value, decimals_for(estimate, share))
    plus = "+" if signed and value > 0 else ""
    return plus + text + _unit(share, signed)


def interval_text(estimate: Estimate, share: bool, signed: bool = False) -> str:
    if estimate.low is None or estimate.high is None:
        return NONE
    unit, decimals = (100 if share else 1), decimals_for(estimate, share)
    low, high = (number(unit * value, decimals) for value in (estimate.low, estimate.high))
    if signed:
        low, high = (f"+{text}" if text[0] != "−" else text for text in (low, high))
    return f"{low} to {high}{_unit(share, signed)}"


def _unit(share: bool, signed: bool) -> str:
    """Per cent; of a difference of shares, percentage points."""
    return "" if not share else " pp" if signed else " %"


def duration(microseconds: float | None) -> str:
    """Three significant digits, in seconds, milliseconds or microseconds."""
    if microseconds is None:
        return NONE
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if microseconds >= 0.9995 * size:
            return f"{microseconds / size:.3g} {unit}"
    return f"{microseconds:.3g} µs"


# ---------------------------------------------------------------- sentences
def played_sentence(summary: Summary, seconds: float, threads: int | None) -> str:
    matches, rounds, decisions = summary.played()
    rate = f": {decisions / seconds / 1e6:.1f} million decisions a second" if seconds else ""
    return (
        f"{matches:,} match{'es' if matches != 1 else ''}, {rounds:,} round{'s' if rounds != 1 else ''}, "
        f"{decisions:,} decisions in {seconds:.2f} s on {where(threads)}{rate}."
    )


def win_sentence(setting: Setting, summary: Summary) -> str:
    """Who won most, and whether significantly more than an equal share."""
    seats = groups(summary.players)["Matches won, by seat"]
    best = max(seats, key=lambda seat: summary.estimate(seat).value or 0)
    # the maximum of several: its interval must hold for all seats simultaneously
    found, fair = intervals.share(summary.sums(best), among=summary.players), 1 / summary.players
    policy = setting.policies[(best.place or 0) % len(setting.policies)]
    who = f"Seat {best.place}" + (f" ({policy})" if len(set(setting.policies)) > 1 else "")
    won = f"{who} won most: {value_text(found, True)} of {summary.matches:,} matches"
    if found.low is None:
        return f"{won}; one match is too few for an interval."
    verdict = "more than" if found.leaves_out(fair) else "which can't be told apart from"
    interval = f"{interval_text(found, True)} with 95 % confidence for all seats at once"
    return f"{won} ({interval}), {verdict} an equal share of {100 * fair:.4g} %."


def round_sentence(summary: Summary) -> str:
    named = {measure.key: measure for measure in summary.measures}

    def text(key: str) -> str:
        measure = named[key]
        return value_text(summary.estimate(measure), measure.share)

    return (
        f"A round took {text('decisions_per_round')} decisions, {text('drawn_per_round')} drawn cards and "
        f"{text('flips_per_round')} flips on average; {text('dark_share')} of all decisions fell on the dark side. "
        f"Besides, {text('forced_keeps_per_round')} drawn cards a round did not fit and were kept: no decisions."
    )


def differing(pair: PairSummary, shown: Sequence[Measure]) -> list[Measure]:
    """The measures with a significant difference, the clearest first."""

    def clearness(measure: Measure) -> float:
        found = pair.difference(measure)
        half = ((found.high or 0) - (found.low or 0)) / 2
        return abs(found.value or 0) / half if half else float("inf")

    found = [measure for measure in shown if pair.difference(measure).leaves_out(0)]
    return sorted(found, key=clearness, reverse=True)


def pair_sentence(pair: PairSummary, shown: Sequence[Measure]) -> str:
    found = differing(pair, shown)
    if not found:
        return f"Over {pair.matches:,} matches each, A and B can't be told apart in any of {len(shown)} figures."
    clearest = []
    for measure in found[:3]:
        a, b = (value_text(side.estimate(measure), measure.share) for side in (pair, pair.other))
        clearest.append(f"{title_in_full(measure)} {a} in A, {b} in B")
    return (
        f"Over {pair.matches:,} matches each, A and B differ in {len(found)} of {len(shown)} figures, "
        f"most clearly in these: {'; '.join(clearest)}."
    )


def title_in_full(measure: Measure) -> str:
    """The title of a measure outside its group."""
    of = {"match": "matches won", "round": "rounds won"}.get(measure.key.partition("_win_rate")[0])
    return measure.title if of is None or measure.place is None else f"{of}, {measure.title}"
