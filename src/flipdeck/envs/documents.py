"""``python -m flipdeck.envs.documents``: the page about observations, written from their declaration."""

from __future__ import annotations

from pathlib import Path

from .columns import OBSERVATIONS, Array, Layout

PAGE = Path(__file__).parents[3] / "docs" / "observations.md"
PLAYERS = 4  # of the column numbers in the page
HEAD = """<!-- Written by "python -m flipdeck.envs.documents" from src/flipdeck/envs/columns.py: change it there. -->
# Observations

What each observation of the [learning environments](envs.md) holds. Seats are counted clockwise from the seat that
sees: 0 is you, 1 the next. A face is one of 54: the colors a to d (red / pink, yellow / orange, green / teal,
blue / purple) with the ranks 1 to 9, + Draw, R Reverse, S Skip, F Flip; then W Wild and W+ Wild Draw. *Active* is the
side in play. Column numbers are those of 4 players; `Layout(sections, players)` in `flipdeck.envs.columns` has those of
any other number.
"""


def page() -> str:
    lines = [HEAD]
    for observation in OBSERVATIONS.values():
        lines.append(f"## `{observation.name}`\n\n{observation.text[0].upper()}{observation.text[1:]}.\n")
        if observation.hidden:
            lines.append("**It shows hidden cards.** An agent that is given it does not play this game.\n")
        for array in observation.arrays:
            lines += _array(array)
    return "\n".join(lines)


def _array(array: Array) -> list[str]:
    rows = f", a row for each {array.rows}" if array.rows else ""
    lines = [f"### `{array.name}` of `{array.dtype}`{rows}\n"]
    if array.text:
        lines.append(f"{array.text[0].upper()}{array.text[1:]}.\n")
    if not array.sections:
        return lines
    starts = Layout(array.sections, PLAYERS).starts
    lines += ["| columns | name | for each | highest | what it is |", "|---|---|---|---|---|"]
    for at, section in enumerate(array.sections):
        first, last = starts[at], starts[at + 1] - 1
        columns = str(first) if first == last else f"{first}–{last}"
        axes = " × ".join(section.axes) or "–"
        lines.append(f"| {columns} | `{section.name}` | {axes} | {section.high} | {section.text} |")
    return [*lines, ""]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
