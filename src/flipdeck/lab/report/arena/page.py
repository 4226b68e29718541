"""The HTML page of ``flipdeck arena``: the matrix as a heat map first, then ratings, places, turns and cost."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ..report_page import fact_list, figure, how, opening, page
from ..wording import NONE, interval_text, value_text, where
from . import wording as words
from .result import ArenaResult
from .standings import Score
from .wording import Rows

DEEPEST = 42  # per cent of color in a cell: its text stays readable in light and dark mode

NOT_TRANSITIVE = (
    "Plackett–Luce, by openskill: μ ± σ, and the conservative rating μ − 3σ. Strength in this game is not transitive: "
    "one number can’t say who beats whom, so the matrix comes first."
)
METHOD = """<p><b>Rounds and deals.</b> A deal is one shuffle. It is played once for every seat, and each time the bots
move on by one seat, so that neither the cards nor the place at the table favor anybody. The random numbers of a bot
belong to its seat and its deal: identical bots win equally.</p>
<p><b>Intervals</b> are 95 % confidence intervals of the true share, by Wilson’s formula for the number of
independent trials with the same variance. Deals are independent, rounds are not. A round without a winner counts as
played. ▲ and ▼ mark what is above or below an equal share by its interval; about 1 in
20 would be by chance alone.</p>
<p><b>Time</b> is what a bot took to answer on its turn, on the machines that played; all other figures are the same on
any machine, for bots that depend on no clock.</p>"""


def arena_page(result: ArenaResult) -> str:
    played = f"{result.rounds:,} of {result.asked:,} rounds"
    body = f"""{opening("Arena", words.title(result.arena), result.complete, played)}
<p>{escape(words.setting_line(result.arena))}</p>
<p class="lead">{escape(words.lead_sentence(result))}</p>
{_facts(result)}
</header>
<h2>Who beats whom</h2><div class="grid">{_matrix(result)}</div>
<h2>Ratings</h2><div class="grid one">{_ratings(result)}</div>
<h2>Place and length</h2><div class="grid">{_plots(result)}</div>
<h2>Bots</h2><div class="grid">{_scores(result)}{_costs(result)}</div>
{how(METHOD, result.command, "rounds.csv", result.seed)}"""
    return page(f"Flipdeck: {words.title(result.arena)}", body)


def _facts(result: ArenaResult) -> str:
    outcome = result.outcome
    return fact_list(
        {
            "rounds": f"{result.rounds:,}",
            "deals": f"{outcome.matches:,}",
            f"seconds on {where(result.workers, 'worker')}": f"{outcome.seconds:,.1f}",
        }
    )


# ---------------------------------------------------------------- the matrix
def _matrix(result: ArenaResult) -> str:
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in words.matrix_columns(result))
    lines = []
    for label, row in zip(result.standings.labels, result.standings.matrix, strict=True):
        cells = "".join(_cell(score, result.arena.seats) for score in row)
        lines.append(f'<tr><th scope="row">{escape(label)}</th>{cells}</tr>')
    fair = f"An equal share is {100 / result.arena.seats:.4g} %. Below each share its 95 % interval."
    return (
        f'<div class="table heat"><table><caption>{escape(words.matrix_title(result))}<small>{fair}</small></caption>'
        f'<thead><tr><th scope="col"></th>{heads}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'
    )


def _cell(score: Score | None, seats: int) -> str:
    if score is None:
        return f"<td>{NONE}</td>"
    side, depth = heat(score.share.value, 1 / seats)
    text = f"{words.mark(score, seats)} {value_text(score.share, True)}".strip()
    interval = interval_text(score.share, True)
    return f'<td class="{side}" style="--heat: {depth}%"><b>{text}</b><small>{interval}</small></td>'


def heat(value: float | None, fair: float) -> tuple[str, int]:
    """The side of an equal share, and the color depth: 0 there, the deepest where all or nothing is won."""
    if value is None:
        return "even", 0
    if value >= fair:
        return "above", round(DEEPEST * (value - fair) / (1 - fair))
    return "below", round(DEEPEST * (fair - value) / fair)


# ---------------------------------------------------------------- the rest
def _ratings(result: ArenaResult) -> str:
    return _table("Ratings of all bots", ("bot", "μ ± σ", "μ − 3σ"), words.rating_rows(result), NOT_TRANSITIVE)


def _scores(result: ArenaResult) -> str:
    rows = words.score_rows(result.standings.labels, result.standings.scores)
    note = ""
    if result.arena.league and result.arena.seats > 2:
        note = "Rounds that a bot plays as the one against others."
    return _table("Rounds won", ("bot", "won", "of", "share", "95 % interval"), rows, note)


def _costs(result: ArenaResult) -> str:
    note = "Time per decision on turn; faults are late, illegal or missing answers."
    return _table("Cost", ("bot", "decisions", "mean", "95th percentile", "faults"), words.cost_rows(result), note)


def _table(title: str, heads: Sequence[str], rows: Rows, note: str = "") -> str:
    small = f"<small>{escape(note)}</small>" if note else ""
    lines = []
    for name, *cells in rows:
        columns = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        lines.append(f'<tr><th scope="row">{escape(name)}</th>{columns}</tr>')
    columns = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    return (
        f'<div class="table"><table><caption>{escape(title)}{small}</caption><thead><tr>{columns}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def _plots(result: ArenaResult) -> str:
    from ...stats import histograms
    from .. import plots  # Matplotlib is loaded only for pages

    places = ["dealer", *(f"+{place}" for place in range(1, result.arena.seats))]
    shares = [score.share for score in result.standings.places]
    label = "Share of rounds won by place"
    won = plots.win_rates(label, places, [("", shares)], "places to the left of the dealer")
    counts = histograms.count(result.standings.turns_of_rounds).tolist()
    bars = histograms.bars(counts, histograms.bar_width(counts))
    length = plots.histogram("Turns a round", [("", bars)], "turns")
    note = "By whoever sat there, with 95 % intervals; the dashed line is an equal share."
    return figure("Won, by place at the table", note, won) + figure(
        "How long a round is", words.turns_sentence(result), length
    )
