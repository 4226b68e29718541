"""Flipdeck: the double-sided shedding card game, as a library, a server, a page and a command line."""

from typing import TYPE_CHECKING

from .lazy_exports import lazy_exports

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


__getattr__ = lazy_exports(__name__, {f".core.{home}": names for home, names in _HOMES.items()})


def __dir__() -> list[str]:
    return __all__
