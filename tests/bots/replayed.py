"""Every hidden arrangement of a tiny deck that looks to a seat as what it was shown, found by playing it again.

A table is laid as in ``tests.tables`` and all cards are taken away that the story doesn't need.  Then the story is told
once in earnest, and once for every way the hidden faces can lie and every order a reshuffle can give: whatever shows
the seat the same events and the same views is a world, and how often it comes about is how likely it is.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from random import Random
from typing import Any
from unittest.mock import patch

from flipdeck.bots.belief.memory import UNKNOWN, Memory
from flipdeck.bots.belief.sampler import Belief
from flipdeck.core.cards import Seat
from flipdeck.core.codes import CARDS, DARK, LIGHT
from flipdeck.core.errors import Refusal
from flipdeck.core.events import Event
from flipdeck.core.history import Played
from flipdeck.core.match import Match
from flipdeck.core.rules import piles
from flipdeck.core.rules.chance import shuffle
from flipdeck.core.rules.hands import HALF, index_faces
from flipdeck.core.state import Game
from flipdeck.core.view import View
from tests.bots.brute_force import Look, World, deal_one
from tests.bots.watching import look, places
from tests.tables import full_move, table

ShownSteps = list[tuple[tuple[Event, ...], View]]


@dataclass(frozen=True, slots=True)
class Story:
    """Hands, the top card and the whole draw pile, and what is said; seat 0 looks on."""

    hands: tuple[str, ...]
    top: str
    draw: str
    lines: tuple[str, ...]
    options: tuple[tuple[str, object], ...] = ()
    dealer: int | None = None

    def laid(self, pairing: str, own_backs: str) -> Match:
        options: dict[str, Any] = {**dict(self.options), "own_backs": own_backs}
        match = table(self.hands, top=self.top, draw=self.draw, dealer=self.dealer, **options)
        # the printed pairs are known beforehand, whatever they are: this deck has its own
        match.options = replace(match.options, pairing=pairing)
        keep = len(self.draw.split())
        _keep_only(match._game, keep)
        return match


def _keep_only(g: Game, stock: int) -> None:
    """All hands, the discard pile and so many cards on top of the draw pile; numbered from 0."""
    lying = places(g)
    drawn = lying[-2][len(lying[-2]) - stock :]
    kept = [card for place in (*lying[:-2], drawn, lying[-1]) for card in place]
    new = {card: number for number, card in enumerate([*kept, *sorted(set(range(CARDS)) - set(kept))])}
    faces, arrived = g.faces[:], g.arrived[:]
    for card, number in new.items():
        g.faces[LIGHT + number], g.faces[DARK + number] = faces[LIGHT + card], faces[DARK + card]
        g.arrived[number] = arrived[card]
    for seat, hand in enumerate(lying[:-2]):
        held = [new[card] for card in hand]
        g.sets[2 * seat] = sum(1 << card for card in held if card < HALF)
        g.sets[2 * seat + 1] = sum(1 << card - HALF for card in held if card >= HALF)
    g.stock[:stock], g.stock_size = [new[card] for card in drawn], stock
    g.pile[: g.pile_size] = [new[card] for card in lying[-1]]
    g.deck = len(kept)
    index_faces(g)


# ---------------------------------------------------------------- a story told
def told(
    match: Match, lines: Sequence[str], order: Sequence[int] | None, like: ShownSteps | None = None
) -> ShownSteps | None:
    """What seat 0 is shown, line by line; nothing, if somebody can't say that or it looks unlike.

    ``order`` is that of a reshuffle.
    """

    def as_ordered(g: Game, cards: list[int], first: int, size: int) -> None:
        if order is None:
            shuffle(g, cards, first, size)
        else:
            cards[first : first + size] = [cards[first + i] for i in order]

    shown: ShownSteps = []
    with patch.object(piles, "shuffle", as_ordered):
        for line in lines:
            seat, move = line.split(": ")
            try:
                events = match.say(int(seat), move)
            except Refusal:
                return None
            shown.append((match.seen(events, 0), match.view(0)))
            if like is not None and shown[-1] != like[len(shown) - 1]:
                return None
    return shown


def in_full(match: Match, lines: Sequence[str]) -> list[str]:
    """The lines with every card in full, as it is when its turn comes."""
    match = with_faces(match, [look(match._game, card) for card in range(match._game.deck)])
    said = []
    for line in lines:
        seat, move = line.split(": ")
        said.append(f"{seat}: {full_move(match, int(seat), move)}")
        match.say(int(seat), said[-1].split(": ")[1])
    return said


def with_faces(match: Match, faces: Sequence[Look]) -> Match:
    other = copy.copy(match)
    dealt = match.history[-1]
    other._game, other.history = match._game.copy(), [Played(dealt.number, dealt.dealer, dealt.dealt, [])]
    for card, (light, dark) in enumerate(faces):
        other._game.faces[LIGHT + card], other._game.faces[DARK + card] = light, dark
    index_faces(other._game)
    return other


def world_of(g: Game) -> World:
    return tuple(look(g, card) for place in places(g)[:-1] for card in place)


# ---------------------------------------------------------------- all that can be
def arrangements(match: Match) -> Iterator[list[Look]]:
    """Whole cards change places; and where the pairing is not known, light and dark faces each by themselves."""
    g = match._game
    looks = [look(g, card) for card in range(g.deck)]
    hidden = hidden_at_first(match)
    if match.options.pairing == "printed":
        shown = [tuple(UNKNOWN if card in hidden[i] else looks[card][i] for i in (0, 1)) for card in range(g.deck)]
        yield from _ways(looks, shown)
        return
    for lights in permutations([looks[card][0] for card in hidden[0]]):
        for darks in permutations([looks[card][1] for card in hidden[1]]):
            light, dark = (dict(zip(*each, strict=True)) for each in zip(hidden, (lights, darks), strict=True))
            yield [(light.get(card, one[0]), dark.get(card, one[1])) for card, one in enumerate(looks)]


def _ways(cards: Sequence[Look], shown: Sequence[tuple[int, ...]]) -> Iterator[list[Look]]:
    if not shown:
        yield []
        return
    for i, one in enumerate(cards):
        if all(face in (UNKNOWN, mine) for face, mine in zip(shown[0], one, strict=True)):
            for rest in _ways([*cards[:i], *cards[i + 1 :]], shown[1:]):
                yield [one, *rest]


def hidden_at_first(match: Match) -> tuple[list[int], list[int]]:
    """Cards whose light face, and whose dark one, seat 0 can't see at the start."""
    g, own_hidden = match._game, match.options.own_backs == "hidden"
    lying = places(g)
    fronts = [card for place in lying[1:-1] for card in place]
    backs = [*(lying[0] if own_hidden else []), *lying[-2][:-1]]
    return (fronts, backs) if g.side == LIGHT else (backs, fronts)


def all_worlds(match: Match, lines: Sequence[str], reshuffled: int) -> Counter[World]:
    """``reshuffled``: so many cards are shuffled into a new draw pile on the way."""
    orders = list(permutations(range(reshuffled))) if reshuffled else [None]
    found = Counter[World]()
    really = told(with_faces(match, [look(match._game, card) for card in range(match._game.deck)]), lines, orders[0])
    for faces in arrangements(match):
        for order in orders:
            other = with_faces(match, faces)
            if told(other, lines, order, really) is not None:
                found[world_of(other._game)] += 1
    return found


# ---------------------------------------------------------------- what the seat samples
def memory_of(match: Match, lines: Sequence[str], reshuffled: int) -> Memory:
    options = replace(match.options, pairing="shuffled")
    memory = Memory(options, match.players, Seat(0))
    g = match._game
    looks = [look(g, card) for card in range(g.deck)]
    memory.options = copy.copy(options)
    object.__setattr__(memory.options, "deck", g.deck)
    memory.game.deck = g.deck
    memory.deck._lights, memory.deck._darks = Counter(a for a, _ in looks), Counter(b for _, b in looks)
    if match.options.pairing == "printed":
        memory.deck.learn(looks)
    other = with_faces(match, looks)
    memory.see(other.seen(other.history[-1].dealt, 0), other.view(0))
    for events, view in told(other, lines, list(range(reshuffled)) if reshuffled else None) or ():
        memory.see(events, view)
    return memory


def sampled(memory: Memory, number: int, dice: Random) -> Counter[World]:
    belief, found = Belief(memory), Counter[World]()
    for _ in range(number):
        found[world_of(deal_one(memory, belief, dice))] += 1
    return found
