"""Memory: the information set of a seat, built from the views and events it was shown.  Nothing else comes in.

The state is ``Knowledge``; here is what each kind of event changes in it, and in which order.  An event tells less than
what happened: a played card is one of a hand, and nobody says which (``played_card``).  ``sampler`` deals
determinizations from a memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...bulk.determinize import GROUPS
from ...core.cards import Card, Seat
from ...core.events import Event, What
from ...core.options import Options
from ...core.reading import hand_in_order
from ...core.state import DRAWN, FLIPPER_CALLS
from ...core.view import Phase, View
from . import inference
from .faces import code_of_face
from .knowledge import Knowledge
from .played_card import find_played
from .pools import UNKNOWN

__all__ = ["UNKNOWN", "Memory", "code_of_face"]


class Memory(Knowledge):
    def __init__(self, options: Options, players: int, seat: Seat) -> None:
        super().__init__(options, players, seat)
        self._round = -1

    def see(self, events: Iterable[Event], view: View) -> None:
        """Take in what the seat saw of a deal or a move, and the view after it.

        A seat that comes late, after the deal, starts from the view.
        """
        events = tuple(events)
        if any(event.what is What.DEALT for event in events):
            self.start_round()
        elif self._round != view.round:
            self.start_round()
            self.start_from(view)
            events = ()
        elif events:
            self.count_move()
        self._round = view.round
        g, kind, color = self.game, inference.turn_of_another(self, events), inference.paying(self)
        before, seat, drawn, saw_draw = g.phase, g.turn, g.drawn, self.saw_draw
        playable = inference.playable_kinds(self) if kind else 0
        for event in events:
            observe(self, event, view)
        self.look(view)
        self.read_numbers(view)
        self._tell_phases_apart(before, events, view)
        self.resolve_ambiguities()
        if kind is What.DREW:
            inference.infer_from_draw(self, seat, playable, events, view)
        elif kind is What.KEPT:
            inference.infer_from_keep(self, drawn, playable, saw_draw)
        elif kind is What.PASSED:
            inference.infer_from_pass(self, seat, playable)
        if color is not None:
            inference.infer_from_payment(self, color, events, view)
        inference.infer_from_innocence(self, events)

    def _tell_phases_apart(self, before: int, events: Sequence[Event], view: View) -> None:
        """Who calls the color after a flip, and which card another seat has drawn: a view alone doesn't say."""
        g = self.game
        phase, drawn = g.phase, g.drawn
        if view.phase is Phase.COLOR and (before == FLIPPER_CALLS or self._flipper_calls(events, view)):
            phase = FLIPPER_CALLS
        if phase != DRAWN:
            drawn = -1
        elif before != DRAWN:  # else the hand may have got cards since, for a catch in vain
            hand = hand_in_order(g, g.turn)
            drawn = hand[-1] if view.drawn is None else self._own_drawn(hand, view.drawn)
        self.set_phase(phase, drawn, saw_draw=self.saw_draw if before == DRAWN else bool(events))

    def _own_drawn(self, hand: Sequence[int], drawn: Card) -> int:
        """The card of the own hand that the view names; of cards that look the same, the last."""
        return next(card for card in reversed(hand) if self.may_be(card, drawn))

    def _flipper_calls(self, events: Sequence[Event], view: View) -> bool:
        """FLIP-4; a seat that came late goes by the options."""
        if events:
            return any(event.what is What.FLIPPED and event.seat == view.to_act for event in events)
        choice = self.options.wild_after_flip_to_dark if self.game.side else self.options.wild_after_flip_to_light
        return choice == "flipper" and view.discard_count > 1


# ---------------------------------------------------------------- what an event changes
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
