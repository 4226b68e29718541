"""What a way of playing tells of cards nobody saw: who draws could hardly match, and a drawn card not played didn't.

A note is a bit set of kinds of faces that a card is hardly one of.  Most are certain; that somebody who drew had
nothing to play is only likely, so notes weigh worlds, they don't exclude any.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..bulk.acting import KINDS, kind_of
from ..core.codes import COLOR_AT, DARK, FIRST_WILD, NO_COLOR, RANK_BITS, WILD_DRAW, nth_face
from ..core.events import Event, What
from ..core.reading import hand_in_order
from ..core.rules.order import top_face
from ..core.state import CHALLENGE, TURN
from ..core.view import Phase, View

if TYPE_CHECKING:
    from .memory import Memory

ALL = (1 << KINDS) - 1
_FACES = sorted({nth_face(index) for index in range(112)})
_OF_COLOR = [sum(1 << kind_of(face) for face in _FACES if face >> COLOR_AT == color) for color in range(5)]
_OF_RANK = [sum(1 << kind_of(face) for face in _FACES if face & RANK_BITS == rank) for rank in range(16)]
WILDS = _OF_COLOR[4]
_DRAWN_FIRST = {What.DREW, What.RESHUFFLED}
_MORE_FOR_INNOCENCE = 2  # CHAL-5


def drawing(memory: Memory, events: Sequence[Event]) -> tuple[int, int] | None:
    """Before a move is taken in: if it is a draw on turn, who draws and the kinds that could have been played."""
    g = memory.game
    if not events or events[0].what not in _DRAWN_FIRST or g.phase != TURN or g.turn == memory.seat:
        return None
    return g.turn, _OF_COLOR[g.color] | _OF_RANK[top_face(g) & RANK_BITS] | WILDS


def paying(memory: Memory) -> int | None:
    """Before a move is taken in: the color that a Wild Draw Color makes somebody draw for."""
    g = memory.game
    if g.phase == CHALLENGE and g.side == DARK and g.owed == 1 and top_face(g) == FIRST_WILD | WILD_DRAW:
        return g.color
    return None


def note_draw(memory: Memory, seat: int, playable: int, events: Sequence[Event], view: View) -> None:
    """Whoever draws had nothing to play; what came was no better, unless the turn goes on."""
    drawn = sum(event.what is What.DREW for event in events)
    hand = hand_in_order(memory.game, seat)
    add(memory, hand, playable)
    goes_on = view.phase is Phase.DRAWN and view.to_act == seat
    if drawn and goes_on:
        start = memory.game.side
        memory.notes[start + hand[-1]] = ALL & ~playable


def note_payment(memory: Memory, color: int, events: Sequence[Event]) -> None:
    """ACT-7: the cards before the last one are not of the color, and the last one is."""
    drawn = [event.seat for event in events if event.what is What.DREW]
    more = _MORE_FOR_INNOCENCE if any(event.what is What.FOUND_INNOCENT for event in events) else 0
    if len(drawn) <= more or drawn[0] is None or drawn[0] == memory.seat:
        return
    cards = hand_in_order(memory.game, drawn[0])[-len(drawn) :][: len(drawn) - more]
    add(memory, cards[:-1], _OF_COLOR[color])
    add(memory, cards[-1:], ALL & ~_OF_COLOR[color])


def note_innocence(memory: Memory, events: Sequence[Event]) -> None:
    """CHAL-3: the hand held nothing of the color that was in force."""
    for event in events:
        if event.what is What.FOUND_INNOCENT and event.seat is not None and memory.color_before != NO_COLOR:
            g = memory.game
            then = [card for card in hand_in_order(g, event.seat) if g.arrived[card] <= g.shown_until]
            add(memory, then, _OF_COLOR[memory.color_before])


def add(memory: Memory, cards: Sequence[int], kinds: int) -> None:
    for card in cards:
        memory.notes[memory.game.side + card] |= kinds
