"""The language of a command: its catalogue, and refusals of the core in that language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from ...core.errors import Refusal
from ...i18n import LANGUAGES, Catalogue, catalogue, language_named, language_of_environment
from .. import CommandError


def catalogue_for(wanted: str | None, edition: str = "classic") -> Catalogue:
    """The catalogue of the language asked for, or else of the terminal's."""
    usual = language_of_environment()
    if wanted is None:
        return catalogue(usual, edition)
    language = language_named(wanted)
    if language is None:
        raise CommandError(catalogue(usual).text("error.language", name=repr(wanted), known=", ".join(LANGUAGES)))
    return catalogue(language, edition)


@contextmanager
def refusals_in(words: Catalogue) -> Iterator[None]:
    """A refusal in the block becomes a CommandError in this language."""
    try:
        yield
    except Refusal as refusal:
        raise CommandError(words.refusal(refusal.reason, refusal.facts, str(refusal))) from None


def options_in(texts: Iterable[str], words: Catalogue) -> dict[str, str]:
    """Parse NAME=VALUE, each."""
    options = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise CommandError(words.text("error.option", text=repr(text)))
        options[name.strip()] = value.strip()
    return options


def whole_number(text: str | None) -> int | str | None:
    """Parse a whole number; anything else stays a string, for the core to refuse."""
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 10 else text
