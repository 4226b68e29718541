"""The HTML page of ``flipdeck compare``: two settings side by side."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ...bulk.batches import Setting
from ..stats.measures import Measure, groups
from ..stats.pair_summary import PairSummary
from ..stats.summary import Summary
from .report_page import facts, heading, method, page
from .run_result import RunResult
from .wording import describe, interval_text, pair_sentence, value_text

MORE = """<p><b>Differences.</b> Match number i of A and of B has the same seed: the same shuffles and random
numbers. The difference is taken match by match, so that common luck cancels out. A dot marks a difference whose
interval leaves out 0; pp are percentage points.</p>"""


def shown_measures(a: Setting, b: Setting) -> dict[str, list[Measure]]:
    """The measures of a comparison by title: those reported for A or for B."""
    both = (a.rules(), b.rules())
    found = {}
    for title, group in groups(max(a.players, b.players)).items():
        shown = [measure for measure in group if any(measure.shown(options) for options in both)]
        if shown:
            found[title] = shown
    return found


def comparison(a: Setting, b: Setting, result: RunResult[Summary]) -> str:
    from .figures import plots_of_pair  # Matplotlib is loaded only for pages

    pair = result.summary
    assert isinstance(pair, PairSummary)  # noqa: S101  # what a PairedJob gives
    shown = shown_measures(a, b)
    flat = [measure for group in shown.values() for measure in group if measure in pair.common]
    scored = "quick" not in (a.rules().scoring, b.rules().scoring)
    tables = "".join(_table(title, group, pair) for title, group in shown.items())
    body = f"""{heading("Comparison", "A against B", result)}
<dl class="settings"><dt class="of-a">A</dt><dd>{escape(describe(a))}</dd>
<dt class="of-b">B</dt><dd>{escape(describe(b))}</dd></dl>
<p class="lead">{escape(pair_sentence(pair, flat))}</p>
{facts(result)}
</header>
<h2>In pictures</h2><div class="grid">{plots_of_pair(pair, flat, scored)}</div>
<h2>In figures</h2><div class="grid one">{tables}</div>
{method(result, MORE)}"""
    return page("Flipdeck: A against B", body)


def _table(title: str, measures: Sequence[Measure], pair: PairSummary) -> str:
    lines = []
    for measure in measures:
        cells = [
            value_text(side.estimate(measure), measure.share) if measure in side.measures else "–"
            for side in (pair, pair.other)
        ]
        found = pair.difference(measure)
        kind = ' class="differs"' if found.leaves_out(0) else ""
        lines.append(
            f'<tr{kind}><th scope="row">{escape(measure.title)}</th><td>{cells[0]}</td><td>{cells[1]}</td>'
            f'<td class="difference">{value_text(found, measure.share, signed=True)}</td>'
            f'<td class="interval">{interval_text(found, measure.share, signed=True)}</td></tr>'
        )
    heads = "".join(f'<th scope="col">{head}</th>' for head in ("A", "B", "B − A", "95 % interval"))
    return (
        f'<div class="table"><table><caption>{escape(title)}</caption><thead><tr><th scope="col"></th>{heads}</tr>'
        f"</thead><tbody>{''.join(lines)}</tbody></table></div>"
    )
