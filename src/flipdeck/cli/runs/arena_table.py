"""The result of an arena in plain lines: the matrix first, then ratings and what else was measured."""

from __future__ import annotations

from ...lab.report import arena_wording as words
from ...lab.report.arena_wording import Finished, Rows
from ...lab.report.wording import NONE, interval_text, value_text
from ...lab.stats.standings import Score

LONGEST = 28  # of a name; commands can be long


def lines(told: Finished) -> list[str]:
    shown = [words.title(told.arena), words.setting_line(told.arena), words.played_sentence(told)]
    shown += ["", words.lead_sentence(told), "", *_matrix(told)]
    if told.arena.league:
        shown += ["", *_aligned([["Rounds won", "won", "of", "share", "95 % interval"], *_scores(told)])]
    shown += ["", *_aligned([["Ratings", "μ ± σ", "μ − 3σ"], *words.rating_rows(told)])]
    shown.append("Strength in this game is not transitive: the matrix tells who beats whom, a rating does not.")
    places = words.score_rows(words.place_names(told.arena.seats), told.standings.places)
    shown += ["", *_aligned([["Won from", "won", "of", "share", "95 % interval"], *places])]
    shown += ["", *_aligned([["Cost", "decisions", "mean", "19 in 20", "faults"], *words.cost_rows(told)])]
    return [*shown, "", words.turns_sentence(told)]


def _matrix(told: Finished) -> list[str]:
    rows = [["", *words.matrix_columns(told)]]
    for label, row in zip(told.standings.labels, told.standings.matrix, strict=True):
        rows.append([label, *(_cell(score, told.arena.seats) for score in row)])
    equal = f"▲ ▼ above or below an equal share of {100 / told.arena.seats:.4g} %, which the 95 % interval leaves out"
    return [words.matrix_title(told), *_aligned(rows), equal]


def _cell(score: Score | None, seats: int) -> str:
    if score is None:
        return NONE
    return f"{words.mark(score, seats)} {value_text(score.share, True)} ({interval_text(score.share, True)})".strip()


def _scores(told: Finished) -> Rows:
    return words.score_rows(told.standings.labels, told.standings.scores)


def _aligned(rows: Rows) -> list[str]:
    """Columns of one width each, names to the left and figures to the right."""
    cut = [[text if len(text) <= LONGEST else text[: LONGEST - 1] + "…" for text in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cut, strict=True)]
    return [
        f"  {name:{widths[0]}}" + "".join(f"   {text:>{width}}" for text, width in zip(cells, widths[1:], strict=True))
        for name, *cells in cut
    ]
