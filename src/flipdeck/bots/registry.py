"""Registry of bots by name: ``regular``, ``master:250ms``, ``cmd:./mybot``, ``py:mymodule:MyBot``.

A new bot is one line here.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Final

from .. import bulk
from ..core.cards import Seat
from ..core.errors import BadRequest
from ..core.match import Match
from . import Bot
from .belief.memory import Memory
from .ladder import LadderBot
from .levels import LADDER, LEVELS, Eye
from .python_bot import PREFIX, PythonBot
from .random_bot import RandomBot

NAMES = ("random", *(level.name for level in LADDER), "net")
COMMAND = "cmd:"
OF_USERS = (COMMAND, PREFIX)  # how the names of bots begin that run code of the user's
INSTEAD: Final = "regular"  # the strongest that needs nothing but Python
_BUDGET = re.compile(r"(?P<level>sharp|master):(?:(?P<ms>[0-9]{1,5})ms|(?P<worlds>[0-9]{1,6})worlds)")
Warn = Callable[[str], None]


def bot_named(text: str, warn: Warn | None = None) -> Bot:
    """A new bot for one seat of one match; an unknown name is refused with the list of names.

    Without ``flipdeck[bulk]`` the strongest bot that needs only Python stands in.  ``warn`` gets a sentence about that,
    or about waiting for the compiler.
    """
    if text.startswith(COMMAND):
        from .external import ExternalBot

        return ExternalBot(text.removeprefix(COMMAND))
    if text.startswith(PREFIX):
        return PythonBot(text.removeprefix(PREFIX))
    if text == "random":
        return RandomBot()
    if text in LEVELS and LEVELS[text].eye < Eye.WORLDS:
        return LadderBot(LEVELS[text])
    budget = _BUDGET.fullmatch(text)
    if text not in NAMES and not budget:
        raise BadRequest("no-bot", text=text, known=", ".join(NAMES))
    if not bulk.available():
        if warn:
            warn(f"{text} needs Numba and NumPy (pip install 'flipdeck[bulk]'); {INSTEAD} plays in its place.")
        return LadderBot(LEVELS[INSTEAD])
    return _net() if text == "net" else _searcher(text, budget, warn)


def needs_search(text: str) -> bool:
    """The bot of this name needs the compiled search."""
    by_level = text in LEVELS and LEVELS[text].eye >= Eye.WORLDS
    return by_level or _BUDGET.fullmatch(text) is not None


def can_search() -> bool:
    """What the search needs is installed."""
    return bulk.available()


def load_search() -> None:
    """Load the search now: a second, or half a minute where this machine has not compiled it yet."""
    from .master import Master

    match = Match(players=2, seed="warm")
    seat = Seat(match.to_act or 0)
    memory = Memory(match.options, match.players, seat)
    memory.see((), match.view(seat))
    Master(worlds=1).tried(memory, match.legal(seat), random.Random(0))  # noqa: S311


def _net() -> Bot:
    from .net import NetBot

    return NetBot()


def _searcher(text: str, budget: re.Match[str] | None, warn: Warn | None) -> Bot:
    """Sharp or the Master, with the budget of its level or of its name."""
    from ..bulk.searching import is_compiled
    from .master import Master

    if warn and not is_compiled():
        warn("The search is compiled for this machine first; it takes about half a minute, once.")
    level = LEVELS[budget["level"] if budget else text]
    seconds, worlds = level.seconds, level.worlds or None
    if budget and budget["ms"]:
        seconds, worlds = max(1, int(budget["ms"])) / 1000, None
    elif budget:
        worlds = max(1, int(budget["worlds"]))
    return Master(seconds, worlds, text, weighs=level.weighs)
