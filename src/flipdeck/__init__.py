"""Flipdeck: the double-sided shedding card game, played through many doors.

The names below are loaded from ``flipdeck.core`` when they are first asked for, so that a command that needs none of
them starts at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .core.cards import Card, Color, Face, Seat, Side, Symbol
    from .core.errors import Refusal
    from .core.events import Event, What
    from .core.history import Round
    from .core.match import Match
    from .core.notation import Accept, CallColor, Catch, Challenge, Draw, Keep, Move, Play, SayUno
    from .core.options import Options
    from .core.view import Phase, View

__version__ = "0.1.0"

__all__ = [
    "Accept",
    "CallColor",
    "Card",
    "Catch",
    "Challenge",
    "Color",
    "Draw",
    "Event",
    "Face",
    "Keep",
    "Match",
    "Move",
    "Options",
    "Phase",
    "Play",
    "Refusal",
    "Round",
    "SayUno",
    "Seat",
    "Side",
    "Symbol",
    "View",
    "What",
    "__version__",
]

_HOMES = {
    "cards": ("Card", "Color", "Face", "Seat", "Side", "Symbol"),
    "errors": ("Refusal",),
    "events": ("Event", "What"),
    "history": ("Round",),
    "match": ("Match",),
    "notation": ("Accept", "CallColor", "Catch", "Challenge", "Draw", "Keep", "Move", "Play", "SayUno"),
    "options": ("Options",),
    "view": ("Phase", "View"),
}


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            thing: object = getattr(import_module(f".core.{home}", __name__), name)
            globals()[name] = thing
            return thing
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
