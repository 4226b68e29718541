"""Inference: what a move tells of cards that nobody saw.

The kinds of fronts are bit sets.  A ban is certain by the rules (a drawn card that ends the turn doesn't match): no
determinization breaks it.  Others are only unlikely (whoever drew had hardly anything to play): that weighs
determinizations and excludes none.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...bulk.acting import KINDS, kind_of
from ...core.codes import COLOR_AT, DARK, FIRST_WILD, NO_COLOR, RANK_BITS, WILD_DRAW, nth_face
from ...core.events import Event, What
from ...core.reading import hand_in_order
from ...core.rules.order import top_face
from ...core.state import CHALLENGE, TURN
from ...core.view import Phase, View
from .knowledge import Knowledge

ALL = (1 << KINDS) - 1
_FACES = sorted({nth_face(index) for index in range(112)})
_OF_COLOR = [sum(1 << kind_of(face) for face in _FACES if face >> COLOR_AT == color) for color in range(5)]
_OF_RANK = [sum(1 << kind_of(face) for face in _FACES if face & RANK_BITS == rank) for rank in range(16)]
WILDS = _OF_COLOR[4]
_WILD_DRAWS = 1 << kind_of(FIRST_WILD | WILD_DRAW)
_DRAWN_FIRST = {What.DREW, What.RESHUFFLED}
_PAID_AFTER = {What.ACCEPTED, What.CHALLENGED}
_MORE_FOR_INNOCENCE = 2  # CHAL-5


def drawing(knowledge: Knowledge, events: Sequence[Event]) -> tuple[int, int] | None:
    """Before a move is observed: if it is a draw on turn, who draws and the kinds that could have been played."""
    g = knowledge.game
    if not events or events[0].what not in _DRAWN_FIRST or g.phase != TURN or g.turn == knowledge.seat:
        return None
    return g.turn, _OF_COLOR[g.color] | _OF_RANK[top_face(g) & RANK_BITS] | WILDS


def paying(knowledge: Knowledge) -> int | None:
    """Before a move is observed: the color that a Wild Draw Color makes somebody draw for."""
    g = knowledge.game
    if g.phase == CHALLENGE and g.side == DARK and g.owed == 1 and top_face(g) == FIRST_WILD | WILD_DRAW:
        return g.color
    return None


def infer_from_draw(knowledge: Knowledge, seat: int, playable: int, events: Sequence[Event], view: View) -> None:
    """A player who draws had hardly anything to play.  What came can't be played; the last can, if the turn goes on."""
    drawn = sum(event.what is What.DREW for event in events)
    hand = hand_in_order(knowledge.game, seat)
    before, came = hand[: len(hand) - drawn], hand[len(hand) - drawn :]
    knowledge.make_unlikely(before, playable)
    if view.phase is Phase.DRAWN and view.to_act == seat:
        knowledge.ban(came[-1:], ALL & ~playable)
        came = came[:-1]
    if not knowledge.options.bluffing:  # ACT-10: then it may be a Wild Draw that the hand forbids
        knowledge.make_unlikely(came, _WILD_DRAWS)
        playable &= ~_WILD_DRAWS
    knowledge.ban(came, playable)


def infer_from_payment(knowledge: Knowledge, color: int, events: Sequence[Event], view: View) -> None:
    """ACT-7: the cards before the last one are not of the color, and the last one is, unless there were no more."""
    drawn = [event.seat for event in events if event.what is What.DREW]
    more = _MORE_FOR_INNOCENCE if any(event.what is What.FOUND_INNOCENT for event in events) else 0
    if len(drawn) <= more or drawn[0] is None or drawn[0] == knowledge.seat:
        return
    if events[0].what not in _PAID_AFTER or (view.draw_count == 0 and view.discard_count == 1):
        return
    cards = hand_in_order(knowledge.game, drawn[0])[-len(drawn) :][: len(drawn) - more]
    knowledge.ban(cards[:-1], _OF_COLOR[color])
    knowledge.ban(cards[-1:], ALL & ~_OF_COLOR[color])


def infer_from_innocence(knowledge: Knowledge, events: Sequence[Event]) -> None:
    """CHAL-2, CHAL-3: the hand held nothing of the color that was in force."""
    for event in events:
        if event.what is What.FOUND_INNOCENT and event.seat is not None and knowledge.color_before != NO_COLOR:
            g = knowledge.game
            then = [card for card in hand_in_order(g, event.seat) if g.arrived[card] <= g.shown_until]
            wilds = WILDS if knowledge.options.wilds_match_in_challenge else 0
            knowledge.ban(then, _OF_COLOR[knowledge.color_before] | wilds)
