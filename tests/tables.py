"""Tables laid for a test: who holds what, what lies on top, what will be drawn.

    match = table(["R7 B2", "G5 W"], top="R5", draw="Y3 Y4")
    say(match, "0: R7!", "1: draw")

A card is written in full (``R7/O1``), with a face that doesn't matter (``R7/?``, ``?/O1``, ``?``), or by the face it
shows at the start of the round alone (``R7``).  Faces left open are filled with plain numbers as far as there are any.
Seat 0 is the first to play unless a dealer is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pytest

import flipdeck
from flipdeck import Card, Event, Face, Play, Refusal, Side
from flipdeck.core.cards import full_deck
from flipdeck.core.editions import edition as edition_named
from flipdeck.core.match import Match

ANY = Card(None, None)


# ---------------------------------------------------------------- laying a table
def table(
    hands: Sequence[str],
    *,
    top: str = "R5",
    draw: str = "",
    bottom: str = "",
    edition: str = "classic",
    players: int | None = None,
    dealer: int | None = None,
    seed: str = "a laid table",
    **options: Any,
) -> flipdeck.Match:
    """A match whose first round is dealt so that the seats get just these hands.

    ``top`` is turned up, ``draw`` lies on top of the draw pile in this order and ``bottom`` under it, last card first:
    so ``bottom`` is drawn in its order after a flip.  Hands are as long as the longest; shorter ones are filled up.
    """
    players = len(hands) if players is None else players
    dealer = players - 1 if dealer is None else dealer
    rules = edition_named(edition).options.changed(options)
    side = Side(rules.start_side)
    laid = [_cards(text, side) for text in hands] + [[] for _ in range(players - len(hands))]
    size = max(1, *map(len, laid))
    laid = [hand + [ANY] * (size - len(hand)) for hand in laid]
    order = [(dealer + step) % players for step in range(1, players + 1)]
    first = [laid[seat][place] for place in range(size) for seat in order]
    first += _cards(top, side) + _cards(draw, side)
    deck = _filled(first, _cards(bottom, side)[::-1], edition, rules.cards)
    return flipdeck.Match(edition, players, seed=seed, dealer=dealer, deck=deck, options={**options, "hand_size": size})


def _cards(text: str, side: Side) -> list[Card]:
    return [_card(each, side) for each in text.split()]


def _card(text: str, side: Side) -> Card:
    if text == "?":
        return ANY
    if "/" not in text:
        text = f"{text}/?" if side is Side.LIGHT else f"?/{text}"
    return Card.parse(text)


def _filled(first: list[Card], last: list[Card], edition: str, size: int) -> list[Card]:
    """A whole deck that begins and ends with these cards; plain numbers come next to them, the rest in the middle."""
    fill = {side: iter(_left(side, [*first, *last], edition, size)) for side in Side}
    first = [_whole(card, fill) for card in first]
    last = [_whole(card, fill) for card in last]
    rest = [Card(light, dark) for light, dark in zip(fill[Side.LIGHT], fill[Side.DARK], strict=True)]
    plain = [card for card in rest if _is_plain(card)]
    special = [card for card in rest if not _is_plain(card)]
    half = len(plain) // 2
    return [*first, *plain[:half], *special, *plain[half:], *last]


def _left(side: Side, cards: list[Card], edition: str, size: int) -> list[Face]:
    """The faces of a side that no card of the table has taken, plain numbers first."""
    want = Counter(str(face) for card in cards if (face := card.face(side)) is not None)
    left = []
    for text, face in _plain_first(side, size):
        if want[text]:
            want[text] -= 1
        else:
            left.append(face)
    for text, missing in (+want).items():
        have = sum(text == each for each, _ in _plain_first(side, size))
        got = f"the {side.value} side of {edition} has {have} × {text}"
        raise ValueError(f"{got}; the table asks for {have + missing}")
    return left


@cache
def _plain_first(side: Side, size: int) -> list[tuple[str, Face]]:
    """The faces of a side with their texts: numbers in rising order and the colors in turn, then all the others."""
    faces = sorted(full_deck(side, size).elements(), key=lambda face: (not face.symbol.is_number, face.symbol.value))
    return [(str(face), face) for face in faces]


def _whole(card: Card, fill: dict[Side, Iterator[Face]]) -> Card:
    light = card.light or next(fill[Side.LIGHT])
    dark = card.dark or next(fill[Side.DARK])
    return Card(light, dark)


def _is_plain(card: Card) -> bool:
    return all(face is not None and face.symbol.is_number for face in (card.light, card.dark))


# ---------------------------------------------------------------- playing at it
def say(match: Match, *lines: str) -> list[Event]:
    """Let seats speak, each line a seat and a move (``1: R7!``), and return all that happened.

    A card may be named by its active face alone: then it is the first such card of the hand.
    """
    events: list[Event] = []
    for line in lines:
        seat, move = line.split(": ")
        events += match.say(int(seat), full_move(match, int(seat), move))
    return events


def full_move(match: Match, seat: int, move: str) -> str:
    """A move with its card written in full: ``W=G!`` becomes ``W/P5=G!``."""
    face = move.rstrip("!").partition("=")[0]
    if "/" in move or face.split()[0] in {"draw", "keep", "color", "accept", "challenge", "uno", "catch"}:
        return move
    view = match.view(seat)
    for card in view.hand:
        if str(card.face(view.side)) == face:
            return str(card) + move.removeprefix(face)
    raise AssertionError(f"seat {seat} has no {face} but {' '.join(map(str, view.hand))}")


def may_say(match: Match, seat: int) -> set[str]:
    """All that a seat may say now, cards named by their active faces."""
    side = match.view(seat).side
    return {_short(move, side) if isinstance(move, Play) else str(move) for move in match.legal(seat)}


def _short(move: Play, side: Side) -> str:
    return str(move.card.face(side)) + str(move).removeprefix(str(move.card))


def refused(match: Match, seat: int, move: str) -> str:
    """Say what can't be said; nothing may change by it.  The reason of the refusal."""
    before = match.secret_state(), [match.view(each) for each in range(match.players)]
    with pytest.raises(Refusal) as refusal:
        match.say(seat, full_move(match, seat, move))
    assert (match.secret_state(), [match.view(each) for each in range(match.players)]) == before
    return refusal.value.reason


def draw_down(match: Match, left: int) -> None:
    """Everyone on turn draws and keeps until so many cards are left in the draw pile."""
    for _ in range(match.view(None).draw_count - left):
        seat = match.to_act
        assert seat is not None
        match.say(seat, "draw")
        if match.to_act == seat:  # the card could be played
            match.say(seat, "keep")
    assert match.view(None).draw_count == left


def play_out(match: Match) -> None:
    """Play a round to its end, everyone with the first thing they may say on turn; UNO is always said."""
    for _ in range(2000):
        if match.to_act is None:
            return
        moves = [str(move) for move in match.legal(match.to_act)]
        match.say(match.to_act, next((move for move in moves if move.endswith("!")), moves[0]))
    raise AssertionError("the round does not end")
