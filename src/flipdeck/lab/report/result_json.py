"""Results of ``simulate`` and ``compare`` as a JSON object, for ``--json`` and ``result.json``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ... import __version__
from ...bulk.batches import Setting
from ..stats.pair_summary import PairSummary
from ..stats.summary import Summary
from .run_result import RunResult


def setting_to_dict(setting: Setting) -> dict[str, Any]:
    policies = [setting.policies[seat % len(setting.policies)] for seat in range(setting.players)]
    return {
        "edition": setting.edition,
        "players": setting.players,
        "policies": policies,
        "options": asdict(setting.rules()),
    }


def _head(kind: str, result: RunResult[Summary]) -> dict[str, Any]:
    outcome = result.outcome
    _, rounds, decisions = outcome.summary.played()
    return {
        "flipdeck": __version__,
        "kind": kind,
        "complete": outcome.complete,
        "games": result.asked,
        "matches": outcome.matches,
        "rounds": rounds,
        "decisions": decisions,
        "seconds": outcome.seconds,
        "threads": result.workers,
        "decisions_per_second": decisions / outcome.seconds if outcome.seconds else None,
        "seed": result.seed,
        "command": result.command,
        "confidence": 0.95,
    }


def simulation_result(setting: Setting, result: RunResult[Summary]) -> dict[str, Any]:
    summary = result.summary
    return {
        **_head("simulation", result),
        "setting": setting_to_dict(setting),
        "win_rate": summary.win_rate(),
        "statistics": summary.figures(),
        "histograms": summary.histograms_to_dict(),
    }


def comparison_result(a: Setting, b: Setting, result: RunResult[Summary]) -> dict[str, Any]:
    """``matches`` counts pairs; ``rounds`` and ``decisions`` are those of both settings."""
    pair = result.summary
    assert isinstance(pair, PairSummary)  # noqa: S101  # what a PairedJob gives
    sides = {}
    for name, setting, summary in (("a", a, pair), ("b", b, pair.other)):
        sides[name] = {
            "setting": setting_to_dict(setting),
            "rounds": summary.rounds,
            "decisions": summary.decisions,
            "win_rate": summary.win_rate(),
            "statistics": summary.figures(),
            "histograms": summary.histograms_to_dict(),
        }
    differences: dict[str, Any] = {}
    for measure in pair.common:
        found = pair.difference(measure)
        figure = {**found.to_dict(), "differs": found.leaves_out(0), "correlation": pair.correlation(measure)}
        if measure.place is None:
            differences[measure.key] = figure
        else:
            differences.setdefault(measure.key, []).append(figure)
    return {**_head("comparison", result), **sides, "differences": differences}
