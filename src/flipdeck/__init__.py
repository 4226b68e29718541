"""Flipdeck: the double-sided shedding card game, as a library, a server, a page and a command line."""

from typing import TYPE_CHECKING

from .lazy_exports import lazy_exports

if TYPE_CHECKING:
    from .bots import Bot
    from .core.cards import Card, Color, Face, Seat, Side, Symbol
    from .core.errors import Refusal
    from .core.events import Event, What
    from .core.history import Round
    from .core.notation import Accept, CallColor, Catch, Challenge, Draw, Keep, Move, Play, SayUno
    from .core.options import Options
    from .core.steps import Step
    from .core.view import Phase, View
    from .library import Match

__version__ = "0.1.0"

__all__ = [
    "Accept",
    "Bot",
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
    "Step",
    "Symbol",
    "View",
    "What",
    "__version__",
]

_HOMES = {
    ".bots": ("Bot",),
    ".core.cards": ("Card", "Color", "Face", "Seat", "Side", "Symbol"),
    ".core.errors": ("Refusal",),
    ".core.events": ("Event", "What"),
    ".core.history": ("Round",),
    ".core.notation": ("Accept", "CallColor", "Catch", "Challenge", "Draw", "Keep", "Move", "Play", "SayUno"),
    ".core.options": ("Options",),
    ".core.steps": ("Step",),
    ".core.view": ("Phase", "View"),
    ".library": ("Match",),
}

__getattr__ = lazy_exports(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
