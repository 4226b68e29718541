"""Flipdeck: the double-sided shedding card game, played through many doors."""

from .core.cards import Card, Color, Face, Seat, Side, Symbol
from .core.errors import Refusal
from .core.events import Event, What
from .core.match import Match, Round
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
