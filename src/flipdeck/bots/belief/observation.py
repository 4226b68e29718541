"""Observation: what each kind of event changes in a seat's knowledge.

An event tells less than what happened: a played card is one of a hand, and nobody says which (``played_card``).
"""

from __future__ import annotations

from ...bulk.determinize import GROUPS
from ...core.cards import Card, Seat
from ...core.events import Event, What
from ...core.reading import hand_in_order
from ...core.view import View
from .knowledge import Knowledge
from .played_card import find_played


def observe(knowledge: Knowledge, event: Event, view: View) -> None:
    """``view`` is what the seat sees after the whole move: other events may follow this one."""
    handle = _HANDLERS.get(event.what)
    if handle:
        handle(knowledge, event, view)


def _dealt(knowledge: Knowledge, event: Event, view: View) -> None:
    del view
    for seen in event.cards or ():
        knowledge.learn(knowledge.deal(_seat(event), first=True), seen)


def _turned_up(knowledge: Knowledge, event: Event, view: View) -> None:
    del view
    knowledge.learn(knowledge.turn_up(first=True), _card(event))


def _returned(knowledge: Knowledge, event: Event, view: View) -> None:
    del event, view
    knowledge.return_opening_card()


def _played(knowledge: Knowledge, event: Event, view: View) -> None:
    seat = _seat(event)
    card = find_played(knowledge, seat, _card(event), view)
    knowledge.play(seat, card)
    knowledge.learn(card, _card(event))


def _drew(knowledge: Knowledge, event: Event, view: View) -> None:
    del view
    knowledge.learn(knowledge.draw(_seat(event)), _card(event))


def _revealed(knowledge: Knowledge, event: Event, view: View) -> None:
    del view
    knowledge.learn(hand_in_order(knowledge.game, _seat(event))[-1], _card(event))


def _flipped(knowledge: Knowledge, event: Event, view: View) -> None:
    del view
    knowledge.flip()
    knowledge.learn(knowledge.game.pile[knowledge.game.pile_size - 1], _card(event))


def _reshuffled(knowledge: Knowledge, event: Event, view: View) -> None:
    del event, view
    knowledge.reshuffle(GROUPS)


def _challenged(knowledge: Knowledge, event: Event, view: View) -> None:
    """CHAL-2: the oldest cards of the hand, as many as are shown."""
    del view
    for card, seen in zip(hand_in_order(knowledge.game, _seat(event)), event.cards or (), strict=False):
        knowledge.learn(card, seen)


def _passed(knowledge: Knowledge, event: Event, view: View) -> None:
    del event, view
    knowledge.pass_turn()


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
