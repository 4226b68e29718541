"""The bots of a match in the terminal: started together, closed together, with remarks about them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from types import TracebackType

from ... import bulk
from ...bots import Bot
from ...bots.registry import INSTEAD, bot_named
from ...i18n import Catalogue
from .. import CommandError
from .language import refusals_in

USUAL = "casual"
LONGEST = 200  # characters of a program's last line of standard error


def names_of_bots(levels: str | None, others: Sequence[str], seats: int, words: Catalogue) -> list[str]:
    """A name per bot seat: ``levels`` first (a single one fills all seats that are left), then ``others`` in order."""
    named = [name.strip() for name in (USUAL if levels is None else levels).split(",")]
    left = seats - len(others)
    if len(named) == 1 and (left > 0 or (left == 0 and levels is None)):
        named *= left
    if len(named) != left:
        raise CommandError(words.text("error.bots", n=seats, got=len(named) + len(others)))
    return [*named, *others]


class Opponents:
    """The bots of one match, as a context manager that closes them."""

    def __init__(self, names: Sequence[str], words: Catalogue) -> None:
        self.bots: list[Bot] = []
        self._names = names
        self._words = words
        self._missing: list[str] = []
        self._compiles = False
        self._open = ExitStack()

    def __enter__(self) -> Opponents:
        with self._open as started, refusals_in(self._words):
            for name in self._names:
                bot = bot_named(name, partial(self._note_warning, name))
                started.callback(bot.close)
                self.bots.append(bot)
            self._open = started.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close all bots; idempotent."""
        self._open.close()

    def _note_warning(self, name: str, sentence: str) -> None:
        """Note a warning of the registry: a fallback bot, or compilation.  ``remarks`` reports it once, translated."""
        del sentence
        if bulk.available():
            self._compiles = True
        else:
            self._missing.append(name)

    # ------------------------------------------------------------ telling
    def remarks(self) -> list[str]:
        """Before the match: bots that are not available, and that compilation may delay the first move."""
        lines = []
        missing = list(dict.fromkeys(self._missing))
        if missing:
            facts = {"names": self._words.listed(missing), "instead": INSTEAD}
            lines.append(self._words.text("play.instead", n=len(missing), **facts))
        if self._compiles:
            lines.append(self._words.text("play.compiling"))
        return lines

    def complaints(self, names: Sequence[str]) -> list[str]:
        """After the match: the faults of programs, by the name of the bot at the table."""
        lines = []
        for bot, name in zip(self.bots, names, strict=True):
            faults: dict[str, int] = getattr(bot, "faults", {})
            if faults:
                kinds = [f"{self._words.text(f'fault.{kind}')} × {count}" for kind, count in sorted(faults.items())]
                facts = {"name": name, "bot": bot.name, "faults": ", ".join(kinds)}
                lines.append(_plain(self._words.text("play.faults", n=sum(faults.values()), **facts)))
            last = _last_line(getattr(bot, "last_words", ""))
            if last:
                lines.append(_plain(self._words.text("play.last_words", name=name, bot=bot.name, text=last)))
        return lines


def _last_line(text: str) -> str:
    """The last line, which mostly names the error."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:LONGEST] if lines else ""


def _plain(text: str) -> str:
    """Replace control characters, so that a program can't control the terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
