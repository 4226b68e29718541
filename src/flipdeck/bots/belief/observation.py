"""What becomes of a seat's picture of the table when the seat sees something happen: for each kind of event its own.

An event tells less than what happened: a card that somebody plays is one of their hand, and nobody says which.  Here it
is found, as far as the seat can tell; where it can't, ``doubts`` keeps what it may have been.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...bulk.determinize import GROUPS
from ...core.cards import Card, Seat, Side
from ...core.codes import DARK
from ...core.events import Event, What
from ...core.reading import hand_in_order
from ...core.rules.hands import take_from_hand
from ...core.rules.piles import turn_over
from ...core.state import DRAWN
from ...core.view import View
from . import ambiguity
from .pools import Pool

if TYPE_CHECKING:
    from .memory import Memory


def take_in(memory: Memory, event: Event, view: View) -> None:
    """``view`` is what the seat sees when all is done: after this event there may have been others."""
    handle = _HANDLERS.get(event.what)
    if handle:
        handle(memory, event, view)


# ---------------------------------------------------------------- the deal
def _dealt(memory: Memory, event: Event, view: View) -> None:
    del view
    for seen in event.cards or ():
        card = memory.deal(_seat(event))
        memory.dealt_first[card] = True
        memory.learn(card, seen)


def _turned_up(memory: Memory, event: Event, view: View) -> None:
    del view
    card = memory.turn_up()
    memory.dealt_first[card] = True
    memory.learn(card, _card(event))


def _returned(memory: Memory, event: Event, view: View) -> None:
    """OPEN-6: it is somewhere in the draw pile, and in no hand."""
    del event, view
    g = memory.game
    g.pile_size -= 1
    card = g.pile[g.pile_size]
    pair = memory.known_pair(card)
    assert pair is not None, "whatever is turned up shows both faces"  # noqa: S101
    memory.pools[0].put_back(pair, late=True)
    memory.forget(card)
    memory.dealt_first[card] = False
    g.stock[g.stock_size] = card
    g.stock_size += 1


# ---------------------------------------------------------------- a card is played
def _played(memory: Memory, event: Event, view: View) -> None:
    g, seat = memory.game, _seat(event)
    card = _card_played(memory, seat, _card(event), view)
    memory.color_before = g.color
    take_from_hand(g, seat, card)
    g.pile[g.pile_size] = card
    g.pile_size += 1
    g.passes, g.shown_until = 0, g.arrivals
    memory.learn(card, _card(event))


def _card_played(memory: Memory, seat: int, seen: Card, view: View) -> int:
    """Which card of a hand it was: of those that may be it, one without which the hand looks as it does now."""
    g = memory.game
    hand, shown = hand_in_order(g, seat), _shown_hand(view, seat)
    may_be = [card for card in hand if memory.may_be(card, seen) and memory.may_pair(card, seen)]
    has_drawn = g.phase == DRAWN and seat == g.turn
    if has_drawn and g.drawn in may_be and _fits(memory, hand, g.drawn, shown):  # who came late may be wrong about it
        fitting = [g.drawn]
    elif len(may_be) == 1 or (seat == memory.seat and not has_drawn):  # of cards that look the same the first is played
        fitting = may_be[:1]
    else:
        may_be.sort(key=lambda card: memory.known_pair(card) is None)
        fitting = [card for card in may_be if _fits(memory, hand, card, shown)]
    ambiguity.card_leaves(memory, seat, hand, fitting, seen)
    return fitting[0]


def _fits(memory: Memory, hand: Sequence[int], played: int, shown: Sequence[Card]) -> bool:
    """Without that card the hand looks as it is shown; cards that came since are at its end."""
    cards = [card for card in hand if card != played]
    return all(memory.may_be(card, now) and memory.may_pair(card, now) for card, now in zip(cards, shown, strict=False))


def _shown_hand(view: View, seat: int) -> Sequence[Card]:
    """A hand as the view shows it."""
    if seat == view.you:
        return view.hand
    backs = next(other.backs for other in view.others if other.seat == seat)
    return [Card(face, None) if view.side is Side.DARK else Card(None, face) for face in backs]


# ---------------------------------------------------------------- all the rest
def _drew(memory: Memory, event: Event, view: View) -> None:
    del view
    memory.game.passes = 0
    memory.learn(memory.deal(_seat(event)), _card(event))


def _revealed(memory: Memory, event: Event, view: View) -> None:
    del view
    memory.learn(hand_in_order(memory.game, _seat(event))[-1], _card(event))


def _flipped(memory: Memory, event: Event, view: View) -> None:
    del view
    g = memory.game
    turn_over(g.pile, g.pile_size)
    turn_over(g.stock, g.stock_size)
    g.side = DARK - g.side
    memory.flipped_at = g.arrivals
    memory.learn(g.pile[g.pile_size - 1], _card(event))


def _reshuffled(memory: Memory, event: Event, view: View) -> None:
    """PILE-1: the reshuffled cards form a group of their own.

    If a face of one of them was never seen (an own card with a hidden back, or the seat came late), nobody can say
    which card left its old group: all groups become one.  That is approximate: cards of the discard pile may then be
    dealt to hands that were held before the reshuffle.
    """
    del event, view
    g = memory.game
    cards, top = g.pile[: g.pile_size - 1], g.pile[g.pile_size - 1]
    pairs = [memory.known_pair(card) for card in cards]
    if len(memory.pools) == GROUPS or None in pairs:
        group = memory.merge_pools()
    else:
        group = len(memory.pools)
        memory.pools.append(Pool())
    for card, pair in zip(cards, pairs, strict=True):
        if pair is not None:
            memory.pools[group].put_back(pair)
        memory.forget(card)
        memory.group[card] = group
    g.stock[: len(cards)] = cards
    g.stock_size, g.pile[0], g.pile_size = len(cards), top, 1
    g.reshuffles += 1


def _challenged(memory: Memory, event: Event, view: View) -> None:
    """CHAL-2: the oldest cards of the hand, as many as are shown."""
    del view
    for card, seen in zip(hand_in_order(memory.game, _seat(event)), event.cards or (), strict=False):
        memory.learn(card, seen)


def _passed(memory: Memory, event: Event, view: View) -> None:
    del event, view
    memory.game.passes += 1


def _seat(event: Event) -> Seat:
    assert event.seat is not None, "this kind of event is about somebody"  # noqa: S101
    return event.seat


def _card(event: Event) -> Card:
    assert event.card is not None, "this kind of event shows a card"  # noqa: S101
    return event.card


_HANDLERS = {
    What.DEALT: _dealt,
    What.TURNED_UP: _turned_up,
    What.RETURNED: _returned,
    What.PLAYED: _played,
    What.DREW: _drew,
    What.REVEALED: _revealed,
    What.FLIPPED: _flipped,
    What.RESHUFFLED: _reshuffled,
    What.CHALLENGED: _challenged,
    What.PASSED: _passed,
}
