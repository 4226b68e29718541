"""Message catalogues in English, Spanish and Argentine Spanish: one TOML file per language.

catalogue("es-AR").face("R7")            7 rojo
catalogue("en").event(event, you=0)      You played red 7.

Nothing here knows the game's types: faces and cards come in their short notation, events as JSON tells them, so the
same catalogues serve every screen.  A language may overlay another: es-AR says only what it says differently from es.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from .catalogue import Catalogue

LANGUAGES = ("en", "es", "es-AR")
_OVERLAYS = {"es-AR": "es"}

__all__ = ["LANGUAGES", "Catalogue", "catalogue", "language_named", "language_of_environment"]


def catalogue(language: str, edition: str = "classic") -> Catalogue:
    """The catalogue of a language, with the words of an edition; a KeyError for an unknown language."""
    return Catalogue(language, edition, _entries(language))


@cache
def _entries(language: str) -> Mapping[str, str]:
    if language not in LANGUAGES:
        raise KeyError(language)
    base = _entries(_OVERLAYS[language]) if language in _OVERLAYS else {}
    text = files(__name__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return {**base, **dict(_flat(tomllib.loads(text), ""))}


def _flat(table: Mapping[str, object], before: str) -> Iterator[tuple[str, str]]:
    """``[event] played = …`` is the key ``event.played``."""
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", str(value).strip("\n")


def language_named(name: str) -> str | None:
    """The language that a person or a locale means, or None: ``es_AR.UTF-8`` is es-AR, ``es-MX`` is es."""
    parts = name.partition(".")[0].partition("@")[0].replace("_", "-").lower().split("-")
    known = {language.lower(): language for language in LANGUAGES}
    return known.get("-".join(parts)) or known.get(parts[0])


def language_of_environment() -> str:
    """The language of the terminal's locale; English where we have no catalogue for it."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if name := os.environ.get(variable):
            return language_named(name) or "en"
    return "en"
