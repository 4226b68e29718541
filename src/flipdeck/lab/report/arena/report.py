"""The report of an arena.  As text: the matrix first, then ratings, places, cost and turns; as HTML: ``page``."""

from __future__ import annotations

from typing import Any

from ..wording import NONE, interval_text, value_text
from . import wording as words
from .page import arena_page
from .result import ArenaResult
from .standings import Score
from .wording import Rows

LONGEST = 28  # of a name; commands can be long


class ArenaReport(ArenaResult):
    @property
    def played(self) -> int:
        return self.rounds

    def to_dict(self) -> dict[str, Any]:
        return words.to_json(self)

    def page(self) -> str:
        return arena_page(self)

    def lines(self) -> list[str]:
        return lines(self)


def lines(result: ArenaResult) -> list[str]:
    shown = [words.title(result.arena), words.setting_line(result.arena), words.played_sentence(result)]
    shown += ["", words.lead_sentence(result), "", *_matrix(result)]
    if result.arena.league:
        shown += ["", *_align([["Rounds won", "won", "of", "share", "95 % interval"], *_scores(result)])]
    shown += ["", *_align([["Ratings", "μ ± σ", "μ − 3σ"], *words.rating_rows(result)])]
    shown.append("Strength in this game is not transitive: the matrix says who beats whom, a rating does not.")
    places = words.score_rows(words.place_names(result.arena.seats), result.standings.places)
    shown += ["", *_align([["Won from", "won", "of", "share", "95 % interval"], *places])]
    shown += ["", *_align([["Cost", "decisions", "mean", "19 in 20", "faults"], *words.cost_rows(result)])]
    return [*shown, "", words.turns_sentence(result)]


def _matrix(result: ArenaResult) -> list[str]:
    rows = [["", *words.matrix_columns(result)]]
    for label, row in zip(result.standings.labels, result.standings.matrix, strict=True):
        rows.append([label, *(_cell(score, result.arena.seats) for score in row)])
    equal = f"▲ ▼ above or below an equal share of {100 / result.arena.seats:.4g} %, which the 95 % interval leaves out"
    return [words.matrix_title(result), *_align(rows), equal]


def _cell(score: Score | None, seats: int) -> str:
    if score is None:
        return NONE
    return f"{words.mark(score, seats)} {value_text(score.share, True)} ({interval_text(score.share, True)})".strip()


def _scores(result: ArenaResult) -> Rows:
    return words.score_rows(result.standings.labels, result.standings.scores)


def _align(rows: Rows) -> list[str]:
    """Aligned columns: names to the left, figures to the right."""
    cut = [[text if len(text) <= LONGEST else text[: LONGEST - 1] + "…" for text in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cut, strict=True)]
    return [
        f"  {name:{widths[0]}}" + "".join(f"   {text:>{width}}" for text, width in zip(cells, widths[1:], strict=True))
        for name, *cells in cut
    ]
