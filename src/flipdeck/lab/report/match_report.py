"""Reports of ``simulate`` and ``compare``: as text here, as HTML in ``report_page`` and ``pair_page``, as JSON in
``result_json``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...bulk.batches import Setting
from ..stats.measures import groups
from ..stats.pair_summary import PairSummary
from ..stats.summary import Summary
from . import pair_page, report_page, result_json, wording
from .run_result import RunResult
from .wording import describe, interval_text, played_sentence, value_text


@dataclass(frozen=True, kw_only=True)
class MatchReport(RunResult[Summary]):
    @property
    def played(self) -> int:
        return self.outcome.matches


@dataclass(frozen=True, kw_only=True)
class SimulationReport(MatchReport):
    setting: Setting

    def to_dict(self) -> dict[str, Any]:
        return result_json.simulation_result(self.setting, self)

    def page(self) -> str:
        return report_page.simulation(self.setting, self)

    def lines(self) -> list[str]:
        return simulation_lines(self.setting, self)


@dataclass(frozen=True, kw_only=True)
class ComparisonReport(MatchReport):
    a: Setting
    b: Setting

    def to_dict(self) -> dict[str, Any]:
        return result_json.comparison_result(self.a, self.b, self)

    def page(self) -> str:
        return pair_page.comparison(self.a, self.b, self)

    def lines(self) -> list[str]:
        return comparison_lines(self.a, self.b, self)


# ---------------------------------------------------------------- text
def simulation_lines(setting: Setting, result: RunResult[Summary]) -> list[str]:
    summary = result.summary
    lines = [describe(setting), played_sentence(summary, result.outcome.seconds, result.workers), ""]
    lines += [wording.win_sentence(setting, summary), wording.round_sentence(summary)]
    for title, group in groups(setting.players).items():
        shown = [measure for measure in group if measure.shown(setting.rules())]
        if shown:
            lines += ["", f"{title:44}{'found':>12}   95 % interval"]
        for measure in shown:
            found = summary.estimate(measure)
            value, interval = value_text(found, measure.share), interval_text(found, measure.share)
            lines.append(f"  {measure.title:42}{value:>12}   {interval}")
    return lines


def comparison_lines(a: Setting, b: Setting, result: RunResult[Summary]) -> list[str]:
    pair = result.summary
    assert isinstance(pair, PairSummary)  # noqa: S101  # what a PairedJob gives
    shown = pair_page.shown_measures(a, b)
    common = [measure for group in shown.values() for measure in group if measure in pair.common]
    lines = [f"A: {describe(a)}", f"B: {describe(b)}"]
    lines += [played_sentence(pair, result.outcome.seconds, result.workers), "", wording.pair_sentence(pair, common)]
    for title, group in shown.items():
        lines += ["", f"{title:44}{'A':>11}{'B':>11}{'B − A':>13}    95 % interval"]
        for measure in group:
            of_a, of_b = (
                value_text(side.estimate(measure), measure.share) if measure in side.measures else wording.NONE
                for side in (pair, pair.other)
            )
            found = pair.difference(measure)
            mark = "*" if found.leaves_out(0) else " "
            value = value_text(found, measure.share, signed=True)
            interval = interval_text(found, measure.share, signed=True)
            lines.append(f"  {measure.title:42}{of_a:>11}{of_b:>11}{value:>13} {mark}  {interval}")
    return [*lines, "", "* the interval leaves out 0, as 1 in 20 would by chance alone; pp: percentage points"]
