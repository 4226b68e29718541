"""The two experiments as the terminal tells them: one setting, and two side by side."""

from __future__ import annotations

from typing import Any

from ...bulk.batches import Setting
from ...lab.report import pair_page, report_page, result_json, wording
from ...lab.report.report_page import About
from ...lab.report.wording import describe, interval_text, played_sentence, value_text
from ...lab.run.compare import Pair, PairSummary
from ...lab.run.shards import Job
from ...lab.stats.measures import groups
from .run import Experiment
from .run_options import Plan


class Simulation(Experiment):
    def __init__(self, setting: Setting) -> None:
        self.setting = setting

    def job(self, plan: Plan) -> Job:
        return Job(self.setting, plan.secret, plan.games, keep=plan.out is not None)

    def command(self, plan: Plan, games: int) -> str:
        return wording.command("simulate", *wording.arguments(self.setting), *plan.arguments(games))

    def result(self, about: About) -> dict[str, Any]:
        return result_json.simulation_result(self.setting, about)

    def page(self, about: About) -> str:
        return report_page.simulation(self.setting, about)

    def lines(self, about: About) -> list[str]:
        setting, summary = self.setting, about.outcome.summary
        told = [describe(setting), played_sentence(summary, about.outcome.seconds, about.threads), ""]
        told += [wording.win_sentence(setting, summary), wording.round_sentence(summary)]
        for title, group in groups(setting.players).items():
            shown = [measure for measure in group if measure.shown(setting.rules())]
            if shown:
                told += ["", f"{title:44}{'found':>12}   95 % interval"]
            for measure in shown:
                found = summary.estimate(measure)
                value, interval = value_text(found, measure.share), interval_text(found, measure.share)
                told.append(f"  {measure.title:42}{value:>12}   {interval}")
        return told


class Comparison(Experiment):
    before = ("setting",)

    def __init__(self, a: Setting, b: Setting) -> None:
        self.a = a
        self.b = b

    def job(self, plan: Plan) -> Job:
        return Pair(self.a, plan.secret, plan.games, keep=plan.out is not None, other=self.b)

    def command(self, plan: Plan, games: int) -> str:
        settings = ("--a", wording.as_pairs(self.a), "--b", wording.as_pairs(self.b))
        return wording.command("compare", *settings, *plan.arguments(games))

    def result(self, about: About) -> dict[str, Any]:
        return result_json.comparison_result(self.a, self.b, about)

    def page(self, about: About) -> str:
        return pair_page.comparison(self.a, self.b, about)

    def lines(self, about: About) -> list[str]:
        pair = about.outcome.summary
        assert isinstance(pair, PairSummary)  # noqa: S101  # what a Pair gives
        shown = pair_page.shown_measures(self.a, self.b)
        common = [measure for group in shown.values() for measure in group if measure in pair.common]
        told = [f"A: {describe(self.a)}", f"B: {describe(self.b)}"]
        told += [played_sentence(pair, about.outcome.seconds, about.threads), "", wording.pair_sentence(pair, common)]
        for title, group in shown.items():
            told += ["", f"{title:44}{'A':>11}{'B':>11}{'B − A':>13}    95 % interval"]
            for measure in group:
                a, b = (
                    value_text(side.estimate(measure), measure.share) if measure in side.measures else wording.NONE
                    for side in (pair, pair.other)
                )
                found = pair.difference(measure)
                mark = "*" if found.leaves_out(0) else " "
                value = value_text(found, measure.share, signed=True)
                interval = interval_text(found, measure.share, signed=True)
                told.append(f"  {measure.title:42}{a:>11}{b:>11}{value:>13} {mark}  {interval}")
        return [*told, "", "* the interval leaves out 0, as 1 in 20 would by chance alone; pp: percentage points"]
