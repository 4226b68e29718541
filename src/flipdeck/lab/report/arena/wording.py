"""The result of an arena as sentences and tables, for text and HTML, and as a JSON object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from .... import __version__
from ...run.arena import MOST_TURNS, Arena
from ...stats.measures import name_of_place
from .. import wording
from ..wording import NONE, duration, interval_text, number, value_text
from .result import ArenaResult
from .standings import Score

Rows = list[list[str]]
AT_THE_TABLE = "at this table"


# ---------------------------------------------------------------- sentences
def title(arena: Arena) -> str:
    names = arena.bots
    if len(names) == 2 and not (arena.league and arena.seats > 2):
        return f"{names[0]} against {names[1]}"
    return ("Every pair of " if arena.league else "One table of ") + ", ".join(names[:-1]) + f" and {names[-1]}"


def setting_line(arena: Arena) -> str:
    changes = [change for change in wording.changes(arena.setting) if change != "scoring=quick"]  # the default here
    return "; ".join([f"{wording.title_of(arena.setting)}, {arena.seats} seats, single rounds", *changes])


def played_sentence(result: ArenaResult) -> str:
    deals = result.outcome.matches
    each = f"{deals:,} deal{'s' if deals != 1 else ''}, each played with every bot in every seat"
    where = wording.where(result.workers, "worker")
    return f"{result.rounds:,} rounds ({each}) in {result.outcome.seconds:,.1f} s on {where}."


def lead_sentence(result: ArenaResult) -> str:
    """Who won most, and whether significantly more than an equal share."""
    standings, seats = result.standings, result.arena.seats
    scores = standings.scores
    best = max(range(len(scores)), key=lambda bot: scores[bot].share.value or 0)
    # the maximum of several: its interval must hold for all bots simultaneously
    found, fair = standings.score(best, among=len(scores)), 1 / seats
    won = f"{standings.labels[best]} won most: {value_text(found.share, True)} of {found.rounds:,} rounds"
    if found.share.low is None:
        return f"{won}; one deal is too few for an interval."
    verdict = "more than" if found.share.leaves_out(fair) else "which can't be told apart from"
    interval = f"{interval_text(found.share, True)} with 95 % confidence for all bots at once"
    return f"{won} ({interval}), {verdict} an equal share of {100 * fair:.4g} %."


def turns_sentence(result: ArenaResult) -> str:
    turns = result.standings.turns
    ended = [f"{result.standings.void:,} were void"] if result.standings.void else []
    if result.standings.given_up:
        ended.append(f"{result.standings.given_up:,} were given up after {MOST_TURNS:,} turns")
    told = (
        f"A round took {number(turns['mean'], 1)} turns on average, not counting drawn cards that did not fit and were "
        f"kept; half took up to {turns['p50']:,}, 19 in 20 up to {turns['p95']:,}, the longest {turns['most']:,}."
    )
    return f"{told} Of all rounds {', '.join(ended)}." if ended else told


def matrix_title(result: ArenaResult) -> str:
    seats = result.arena.seats
    if not result.standings.in_pairs:
        return f"Share of rounds won, all {seats} at one table"
    if seats == 2:
        return "Share of rounds won, row against column"
    return f"Share of rounds won by one of the row against {seats - 1} of the column"


# ---------------------------------------------------------------- tables
def matrix_columns(result: ArenaResult) -> list[str]:
    return result.standings.labels if result.standings.in_pairs else [AT_THE_TABLE]


def mark(score: Score, seats: int) -> str:
    """▲ or ▼ where the interval leaves out an equal share."""
    if not score.share.leaves_out(1 / seats):
        return ""
    return "▲" if (score.share.value or 0) > 1 / seats else "▼"


def rating_rows(result: ArenaResult) -> Rows:
    return [[r.bot, f"{number(r.mu, 2)} ± {number(r.sigma, 2)}", number(r.ordinal, 2)] for r in result.ratings]


def cost_rows(result: ArenaResult) -> Rows:
    rows = []
    for label, cost in zip(result.standings.labels, result.summary.costs, strict=True):
        faults = ", ".join(f"{kind} {many:,}" for kind, many in sorted(cost.faults.items()))
        rows.append([label, f"{cost.decisions:,}", duration(cost.mean), duration(cost.p95), faults or NONE])
    return rows


def score_rows(names: Sequence[str], scores: Sequence[Score]) -> Rows:
    return [
        [name, f"{score.wins:,}", f"{score.rounds:,}", value_text(score.share, True), interval_text(score.share, True)]
        for name, score in zip(names, scores, strict=True)
    ]


def place_names(seats: int) -> list[str]:
    return [name_of_place(place) for place in range(seats)]


# ---------------------------------------------------------------- for programs
def to_json(result: ArenaResult) -> dict[str, Any]:
    """The JSON object; all but ``timing`` is reproducible, for bots that depend on no clock."""
    arena, standings, costs = result.arena, result.standings, result.summary.costs
    scores = [score.to_dict() for score in standings.scores]
    rows = [[None if score is None else score.to_dict() for score in row] for row in standings.matrix]
    times = zip(arena.bots, costs, strict=True)
    return {
        "flipdeck": __version__,
        "kind": "arena",
        "complete": result.complete,
        "league": arena.league,
        "edition": arena.setting.edition,
        "seats": arena.seats,
        "options": asdict(arena.setting.rules()),
        "seed": result.seed,
        "command": result.command,
        "confidence": 0.95,
        "bots": list(arena.bots),
        "rounds": result.rounds,
        "asked": result.asked,
        "deals": result.outcome.matches,
        **{name: [score[name] for score in scores] for name in ("wins", "win_rate", "interval")},
        "entrants": [
            {"bot": bot, **score, "decisions": cost.decisions, "faults": dict(sorted(cost.faults.items()))}
            for bot, score, cost in zip(arena.bots, scores, costs, strict=True)
        ],
        "matrix": {"rows": list(arena.bots), "columns": _columns(result), "cells": rows},
        "ratings": [rating.to_dict() for rating in result.ratings],
        "places": [score.to_dict() for score in standings.places],
        "turns": standings.turns,
        "void": standings.void,
        "given_up": standings.given_up,
        "timing": {
            "seconds": result.outcome.seconds,
            "workers": result.workers,
            "microseconds": [{"bot": bot, "mean": cost.mean, "p95": cost.p95} for bot, cost in times],
        },
    }


def _columns(result: ArenaResult) -> list[str]:
    return list(result.arena.bots) if result.standings.in_pairs else [AT_THE_TABLE]
