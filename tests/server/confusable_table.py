"""Writes ``src/flipdeck/server/confusables.txt`` from the newest confusables that are to be had as a package:
``python -m tests.server.confusable_table``.

The package ``confusable-homoglyphs`` carries Unicode's confusables.txt as pairs, of which it does not say which one is
the prototype.  Kept of them is what a name can still have when compatibility forms are folded and marks are apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from pathlib import Path

from confusable_homoglyphs.confusables import confusables_data  # type: ignore[import-untyped]

from flipdeck.server import confusables

PATH = Path(confusables.__file__).with_suffix(".txt")
MARKS = "\u200e"  # that the package puts around letters that are written from right to left


def pairs() -> dict[str, str]:
    """Each character, and its prototype: the text that stands for all that look like it."""
    alike = {_bare(one): {_bare(other["c"]) for other in others} for one, others in confusables_data.items()}
    found = {}
    for one, others in alike.items():
        if len(one) == 1 and len(others) == 1:
            (other,) = others
            is_prototype = len(alike[other]) == 1 and len(other) == 1 and one < other  # two that have only each other
            if not is_prototype:
                found[one] = other
    return found


def table() -> dict[str, str]:
    """The pairs that matter after folding; prototypes are written in characters that have none themselves."""
    known = pairs()

    def prototype(text: str) -> str:
        plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text))
        made = unicodedata.normalize("NFD", "".join(known.get(character, character) for character in plain))
        return made if made == text else prototype(made)

    kept = {one for one in known if unicodedata.normalize("NFKC", one) == one == unicodedata.normalize("NFD", one)}
    return {one: prototype(other) for one, other in known.items() if one in kept and prototype(other) != one}


def text() -> str:
    head = PATH.read_text(encoding="utf-8") if PATH.exists() else ""
    notice = "".join(line for line in head.splitlines(keepends=True) if line.startswith("#"))
    alike = defaultdict(list)
    for one, prototype in sorted(table().items()):
        alike[prototype].append(one)
    lines = (f"{_points(prototype)};{' '.join(map(_points, alike[prototype]))}\n" for prototype in sorted(alike))
    return notice + "".join(lines)


def _bare(shown: str) -> str:
    return shown.strip(MARKS) or shown


def _points(characters: str) -> str:
    return "+".join(f"{ord(character):04X}" for character in characters)


if __name__ == "__main__":
    PATH.write_text(re.sub(r"\n+$", "\n", text()), encoding="utf-8")
