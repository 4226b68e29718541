"""What a test asks about a match and its events: hands, piles, whose turn it is.  ``tables`` lays the match."""

from __future__ import annotations

from collections.abc import Iterable

from flipdeck import Card, Event, Match, Phase


def names(events: Iterable[Event]) -> list[str]:
    return [event.what.value for event in events]


def told(events: Iterable[Event], name: str) -> list[Event]:
    """The events of one name."""
    return [event for event in events if event.what.value == name]


def drawn_by(events: Iterable[Event], seat: int) -> int:
    """How many cards a seat drew."""
    return sum(event.seat == seat for event in told(events, "drew"))


def phase(match: Match) -> str:
    return match.view(None).phase.value


def color(match: Match) -> str | None:
    now = match.view(None).color
    return now.value if now else None


def hand(match: Match, seat: int) -> list[str]:
    """The cards of a hand in order, both faces."""
    return _texts(match, "hands", seat)


def sizes(match: Match) -> list[int]:
    """How many cards each seat holds."""
    return [len(hand(match, seat)) for seat in range(match.players)]


def draw_pile(match: Match) -> list[str]:
    """Top card first."""
    return _texts(match, "draw")


def discard_pile(match: Match) -> list[str]:
    """Top card first."""
    return _texts(match, "discard")


def deck_of(match: Match) -> list[Card]:
    """Every card of the match, wherever it is."""
    held = [card for seat in range(match.players) for card in hand(match, seat)]
    return [Card.parse(text) for text in (*held, *draw_pile(match), *discard_pile(match))]


def catchable(match: Match) -> tuple[int, ...]:
    return match.view(None).catchable


def turn_of(match: Match, seat: int) -> bool:
    """The seat is to take a normal turn."""
    return match.to_act == seat and match.view(None).phase is Phase.TURN


def _texts(match: Match, name: str, place: int | None = None) -> list[str]:
    found = match.secret_state()[name]
    assert isinstance(found, list)
    chosen = found if place is None else found[place]
    assert isinstance(chosen, list)
    return [str(text) for text in chosen]
