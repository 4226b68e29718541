"""The HTML page of ``flipdeck simulate``, and the parts that all pages share.  Pages are self-contained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files

from ... import __version__
from ...bulk.batches import Setting
from ..stats.measures import Measure, groups
from ..stats.summary import Summary
from .run_result import RunResult
from .wording import describe, interval_text, round_sentence, value_text, where, win_sentence

METHOD = """<p><b>Independence.</b> Matches are independent; the rounds of a match are not: they share a deck and
end when somebody has enough points. So every figure is a ratio of two sums over matches with a variance over matches:
the linearised ratio estimator, clustered by match.</p>
<p><b>Intervals</b> are 95 % confidence intervals: of a mean, Student’s; of a share, Wilson’s, for the number of
independent trials with the same variance. The mean of something that never happened has no interval. RunResult
1 in 20 such intervals misses the true value: among many figures, expect some.</p>
<p><b>Words.</b> A <i>decision</i> is one question put to one seat, on turn or not; a <i>turn</i> is a move of the
player on turn. A shared win of a match counts in equal parts. Shares of rounds won are of the rounds that somebody
won. Sums and histograms are exact whole numbers; the same seed gives the same figures, on any number of threads.</p>"""


def simulation(setting: Setting, result: RunResult[Summary]) -> str:
    """The page of ``flipdeck simulate``."""
    from .figures import plots_of  # Matplotlib is loaded only for pages

    summary = result.summary
    options = setting.rules()
    shown = [
        (title, [m for m in group if m.shown(options)])
        for title, group in groups(setting.players).items()
        if any(m.shown(options) for m in group)
    ]
    tables = "".join(table_of(title, group, summary) for title, group in shown)
    body = f"""{heading("Simulation", describe(setting), result)}
<p class="lead">{escape(win_sentence(setting, summary))} {escape(round_sentence(summary))}</p>
{facts(result)}
</header>
<h2>In pictures</h2><div class="grid">{plots_of(setting, summary)}</div>
<h2>In figures</h2><div class="grid">{tables}</div>
{method(result)}"""
    return page(f"Flipdeck: {describe(setting)}", body)


# ---------------------------------------------------------------- parts of any page
def page(title: str, body: str) -> str:
    css = files(__package__).joinpath("report.css").read_text(encoding="utf-8")
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>
{css}</style>
</head>
<body>
{body}
<footer>Flipdeck {escape(__version__)}</footer>
</body>
</html>
"""


def heading(kind: str, title: str, result: RunResult[Summary]) -> str:
    return opening(kind, title, result.outcome.complete, f"{result.outcome.matches:,} of {result.asked:,} matches")


def opening(kind: str, title: str, complete: bool, played: str) -> str:
    """The heading of a page; it says when the run was interrupted."""
    partial = (
        ""
        if complete
        else (f'<p class="partial"><b>Stopped early.</b> This is what {played} gave; the rest was not played.</p>')
    )
    return f'<header><p class="kind">{kind}</p><h1>{escape(title)}</h1>{partial}'


def facts(result: RunResult[Summary]) -> str:
    matches, rounds, decisions = result.summary.played()
    seconds = result.outcome.seconds
    rate = f"{decisions / seconds / 1e6:.1f} million" if seconds else "–"
    found = {
        "matches": f"{matches:,}",
        "rounds": f"{rounds:,}",
        "decisions": f"{decisions:,}",
        f"seconds on {where(result.workers)}": f"{seconds:,.2f}",
        "decisions a second": rate,
    }
    return fact_list(found)


def fact_list(facts: Mapping[str, str]) -> str:
    return '<ul class="facts">' + "".join(f"<li><b>{value}</b> {name}</li>" for name, value in facts.items()) + "</ul>"


def figure(title: str, note: str, svg: str, wide: bool = False) -> str:
    kind = ' class="wide"' if wide else ""
    return f"<figure{kind}><figcaption>{escape(title)}<small>{escape(note)}</small></figcaption>{svg}</figure>"


def table_of(title: str, measures: Sequence[Measure], summary: Summary) -> str:
    lines = []
    for measure in measures:
        found = summary.estimate(measure)
        lines.append(
            f'<tr><th scope="row">{escape(measure.title)}</th><td>{value_text(found, measure.share)}</td>'
            f'<td class="interval">{interval_text(found, measure.share)}</td></tr>'
        )
    return (
        f'<div class="table"><table><caption>{escape(title)}</caption><thead><tr><th scope="col"></th>'
        f'<th scope="col">found</th><th scope="col">95 % interval</th></tr></thead><tbody>{"".join(lines)}</tbody>'
        "</table></div>"
    )


def method(result: RunResult[Summary], more: str = "") -> str:
    return how(METHOD + more, result.command, result.rounds_file, result.seed)


def how(method: str, command: str, table: str, seed: str) -> str:
    """The end of a page: the method, the command that repeats it, the files beside it."""
    return f"""<h2>Method</h2><div class="method">{method}</div>
<h2>Do it again</h2><div class="method"><p>The same figures come from this command, on any machine:</p></div>
<pre>{escape(command)}</pre>
<div class="method"><p>Beside this page, <b>{escape(table)}</b> has a row for every round and
<b>result.json</b> the figures for a program. The seed is <b>{escape(seed)}</b>.</p></div>"""
