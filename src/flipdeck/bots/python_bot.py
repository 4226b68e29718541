"""Bots that are Python classes of your own: ``py:mymodule:MyBot``.

The class is made without arguments, once for a seat of a match.  It needs ``choose``, as ``Bot`` declares it;
``interrupt``, ``close`` and ``name`` are optional.  It runs in the process of the game: an exception in it is shown
with its traceback and ends the match.  A program that may fail is better a ``cmd:`` (docs/programs.md).
"""

from __future__ import annotations

import importlib
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..core.errors import BadRequest
from ..core.notation import Move
from ..core.view import View
from .belief.memory import Memory

PREFIX = "py:"


class PythonBot:
    def __init__(self, text: str) -> None:
        """``text`` names a module, which may lie in the current folder, and a class in it: ``mymodule:MyBot``."""
        self.name = PREFIX + text
        self._bot = _make(text)

    def choose(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move:
        return self._checked(self._bot.choose(view, legal, memory, rng), legal)

    def interrupt(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move | None:
        if not hasattr(self._bot, "interrupt"):
            return None
        move = self._bot.interrupt(view, legal, memory, rng)
        return None if move is None else self._checked(move, legal)

    def close(self) -> None:
        if hasattr(self._bot, "close"):
            self._bot.close()

    def _checked(self, move: object, legal: Sequence[Move]) -> Move:
        """A move of ``legal``, given as such or as its text."""
        for each in legal:
            if move in (each, str(each)):
                return each
        raise BadRequest("bot-illegal", bot=self.name, move=str(move), legal=", ".join(map(str, legal)))


def _make(text: str) -> Any:
    module_name, colon, class_name = text.partition(":")
    if not module_name or not colon or not class_name.isidentifier():
        raise BadRequest("bot-class-form", text=PREFIX + text)
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))  # as ``python -m`` does: a first bot is a file beside you
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise  # the module is there, and needs another that is not
        raise BadRequest("bot-no-module", text=PREFIX + text, module=module_name) from None
    kind = getattr(module, class_name, None)
    if not isinstance(kind, type):
        raise BadRequest("bot-no-class", text=PREFIX + text, module=module_name, name=class_name)
    if not callable(getattr(kind, "choose", None)):
        raise BadRequest("bot-no-choose", text=PREFIX + text, name=class_name)
    return kind()
