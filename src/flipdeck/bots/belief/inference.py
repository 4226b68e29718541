"""Inference: what a move tells of cards that nobody saw.

The kinds of fronts are bit sets.  A ban is certain by the rules (who passes holds nothing that fits): no
determinization breaks it.  Others are only unlikely (whoever drew had hardly anything to play, and what was drawn and
kept hardly fits): that weighs determinizations and excludes none.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...bulk.acting import KINDS, kind_of
from ...core.codes import COLOR_AT, DARK, FIRST_WILD, NO_COLOR, RANK_BITS, WILD_DRAW, nth_face
from ...core.events import Event, What
from ...core.reading import hand_in_order
from ...core.rules.order import top_face
from ...core.state import CHALLENGE, DRAWN, TURN
from ...core.view import View
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


def playable_kinds(knowledge: Knowledge) -> int:
    """Before a move is observed: the kinds that can be played, ACT-9 aside."""
    g = knowledge.game
    return _OF_COLOR[g.color] | _OF_RANK[top_face(g) & RANK_BITS] | WILDS


def turn_of_another(knowledge: Knowledge, events: Sequence[Event]) -> What | None:
    """Before a move is observed: whether another seat draws on its turn, keeps what it drew, or passes."""
    g = knowledge.game
    if not events or g.turn == knowledge.seat:
        return None
    first = events[0].what
    if g.phase == TURN and first in _DRAWN_FIRST:
        return What.DREW
    if (g.phase == TURN and first is What.PASSED) or (g.phase == DRAWN and first is What.KEPT):
        return first
    return None


def paying(knowledge: Knowledge) -> int | None:
    """Before a move is observed: the color that a Wild Draw Color makes somebody draw for."""
    g = knowledge.game
    if g.phase == CHALLENGE and g.side == DARK and g.owed == 1 and top_face(g) == FIRST_WILD | WILD_DRAW:
        return g.color
    return None


def infer_from_draw(knowledge: Knowledge, seat: int, playable: int, events: Sequence[Event], view: View) -> None:
    """TURN-2: a player who draws had hardly anything to play, and nobody else can tell whether the card fits.

    With ``draw_until_playable`` all cards but the last don't fit, and the last does, unless there were no more.
    """
    drawn = sum(event.what is What.DREW for event in events)
    hand = hand_in_order(knowledge.game, seat)
    before, came = hand[: len(hand) - drawn], hand[len(hand) - drawn :]
    knowledge.make_unlikely(before, playable)
    if knowledge.options.draw_until_playable:
        if not _is_used_up(view):
            knowledge.ban(came[-1:], ALL & ~playable)
        _ban_but_forbidden(knowledge, came[:-1], playable, forbidden=not knowledge.options.bluffing)


def infer_from_keep(knowledge: Knowledge, card: int, playable: int, certain: bool) -> None:
    """A card that was drawn and kept hardly fits, unless it is public that it does; with ``forced_play`` it certainly
    doesn't.

    ``certain``: it is known which card was drawn.
    """
    if knowledge.options.forced_play and certain:
        _ban_but_forbidden(knowledge, [card], playable, forbidden=True)
    elif knowledge.bans[knowledge.game.side + card] | playable != ALL:
        knowledge.make_unlikely([card], playable)


def infer_from_pass(knowledge: Knowledge, seat: int, playable: int) -> None:
    """PILE-2: who passes holds nothing that fits.

    A hand without the color in force may play its Wild Draw, unless another one counts as a match (CHAL-3).
    """
    options = knowledge.options
    forbidden = not options.bluffing and options.wilds_match_in_challenge
    _ban_but_forbidden(knowledge, hand_in_order(knowledge.game, seat), playable, forbidden)


def _ban_but_forbidden(knowledge: Knowledge, cards: Sequence[int], playable: int, forbidden: bool) -> None:
    """These cards could not be played: they don't fit, or are Wild Draws that the rest of the hand forbids (ACT-9)."""
    if forbidden:
        knowledge.make_unlikely(cards, _WILD_DRAWS)
        playable &= ~_WILD_DRAWS
    knowledge.ban(cards, playable)


def _is_used_up(view: View) -> bool:
    """There is nothing left to draw."""
    return view.draw_count == 0 and view.discard_count == 1


def infer_from_payment(knowledge: Knowledge, color: int, events: Sequence[Event], view: View) -> None:
    """ACT-7: the cards before the last one are not of the color, and the last one is, unless there were no more."""
    drawn = [event.seat for event in events if event.what is What.DREW]
    more = _MORE_FOR_INNOCENCE if any(event.what is What.FOUND_INNOCENT for event in events) else 0
    if len(drawn) <= more or drawn[0] is None or drawn[0] == knowledge.seat:
        return
    if events[0].what not in _PAID_AFTER or _is_used_up(view):
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
