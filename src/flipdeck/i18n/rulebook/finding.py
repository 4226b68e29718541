"""Fuzzy search of names: without accents, in any case, with any kind of hyphen; and suggestions for near misses."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable

MANY = 5


def plain(name: str) -> str:
    letters = unicodedata.normalize("NFD", name.casefold())
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return re.sub(r"[\s_-]+", " ", bare).strip()


def near_matches(query: str, names: Iterable[str]) -> tuple[str, ...]:
    """Names that contain what was typed, then names that look like it."""
    wanted = plain(query)
    by_plain: dict[str, str] = {}
    for name in names:
        by_plain.setdefault(plain(name), name)
    near = [name for name in by_plain if len(wanted) > 1 and wanted in name]
    near += [name for name in difflib.get_close_matches(wanted, by_plain, n=MANY, cutoff=0.6) if name not in near]
    return tuple(by_plain[name] for name in near[:MANY])
