"""What looks alike: Unicode's confusables (UTS #39).  Cyrillic "а" and Latin "a", "0" and "O", "rn" and "m".

The table is ``confusables.txt``, made from Unicode's by ``tests/server/confusable_table.py``.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from pathlib import Path

KNOWN = 4096  # cached names


@lru_cache(KNOWN)
def looks(text: str) -> frozenset[str]:
    """Keys of how a text looks: two texts look alike when they have one in common.

    Case does not count either, and what looks alike in capitals does not in small letters ("ΝΙΝΑ" in Greek is like
    "NINA", "νινα" is not like "nina"): so there is a skeleton of the text as it is, in small letters, and in capitals.
    """
    return frozenset(_fold(_skeleton(form)) for form in (text, _fold(text), text.upper()))


def _skeleton(text: str) -> str:
    """As UTS #39 has it, over compatibility forms, so that width and style don't count."""
    apart = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text))
    return unicodedata.normalize("NFD", apart.translate(_TABLE))


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def _read_table() -> dict[int, str]:
    """Characters, and the prototype of all that look like them."""
    found: dict[int, str] = {}
    for line in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            prototype, alike = line.split(";")
            for character in alike.split():
                found[int(character, 16)] = "".join(chr(int(point, 16)) for point in prototype.split("+"))
    return found


_TABLE = _read_table()  # now: reading it would keep tables waiting
