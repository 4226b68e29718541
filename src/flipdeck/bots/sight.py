"""Facts about a position for the reasons of hints: who comes next, what they can hold, what is left."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ..bulk.heuristic import BLUFFERS, followers
from ..core.cards import Face, Seat, color_of, face_of
from ..core.codes import (
    CARDS,
    COLOR_AT,
    DARK,
    DRAW,
    FIRST_WILD,
    LIGHT,
    RANK_BITS,
    REVERSE,
    SKIP,
    WILD_DRAW,
    faces_in,
)
from ..core.reading import hand_in_order, side_in_play
from .belief.memory import UNKNOWN, Memory
from .belief.pools import public_pairs
from .belief.sampler import Belief


class Sight:
    """Facts in the numbers of the rules; words and moves are chosen elsewhere."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.game = memory.game
        self.seat = memory.seat
        self.options = memory.options
        self.hand = hand_in_order(memory.game, memory.seat)
        self._belief = Belief(memory)

    # ------------------------------------------------------------ faces
    def front(self, card: int) -> int:
        return self.game.faces[self.game.side + card]

    def back(self, card: int) -> int:
        return self.game.faces[DARK - self.game.side + card]

    def face_turned_up(self) -> Face | None:
        """The face that a flip puts on top: the lowest card of the pile, turned over; None if it was never seen."""
        code = self.back(self.game.pile[0])
        return None if code == UNKNOWN else face_of(side_in_play(self.game).other, code)

    def color(self, number: int) -> str:
        color = color_of(side_in_play(self.game), number)
        return color.value if color else "?"

    # ------------------------------------------------------------ who comes next
    def after(self, steps: int) -> Seat:
        """The seat so many steps on in the direction of play, counted from this one."""
        return Seat((self.seat + steps * self.game.direction) % self.game.players)

    def victim(self, rank: int) -> Seat | None:
        """The seat that misses a turn because of a card; None for nobody, or everybody."""
        if rank in (DRAW, WILD_DRAW) or (rank == SKIP and self.game.side == LIGHT):
            return self.after(1)
        return self.after(1) if rank == REVERSE and self._reverse_skips() else None

    def follower(self, rank: int) -> Seat | None:
        """The seat that plays after a card; None if that is this seat again."""
        steps = 2 if self.victim(rank) is not None else 1
        if rank == REVERSE and not self._reverse_skips():
            steps = -1
        if rank == SKIP and self.game.side == DARK:
            steps = 0
        seat = self.after(steps)
        return None if seat == self.seat else seat

    def _reverse_skips(self) -> bool:
        return self.game.players == 2 and self.options.two_player_reverse == "skip"

    # ------------------------------------------------------------ who can have what
    def fronts(self, seat: int) -> list[dict[int, float]]:
        """For every card of another hand the fronts it may have, with their chances; a known card has one."""
        known = [self.front(card) for card in hand_in_order(self.game, seat)]
        return [{face: 1.0} for face in known if face != UNKNOWN] + list(self._belief.fronts_in(seat))

    def can_follow(self, seat: int, color: int, rank: int) -> tuple[float, int]:
        """The chance that a hand has a card for this color and rank, and how many of its cards certainly don't fit."""
        chances = [sum(p for face, p in fronts.items() if fits(face, color, rank)) for fronts in self.fronts(seat)]
        return 1 - prod(1 - chance for chance in chances), sum(chance <= 0 for chance in chances)

    def left(self, color: int, rank: int, without: int = CARDS) -> int:
        """How many of the own cards, except one, could be played on this color and rank."""
        return followers(self.game, self.seat, self.game.side, color, rank, without)

    def left_when_turned(self, seat: int, face: int, without: int = CARDS) -> int:
        """How many cards of a hand could be played on a face after a flip."""
        other = DARK - self.game.side
        return followers(self.game, seat, other, face >> COLOR_AT, face & RANK_BITS, without)

    def strong_when_turned(self, seat: int, without: int = CARDS) -> int:
        """How many action cards and wilds a hand has after a flip."""
        cards = hand_in_order(self.game, seat)
        return sum(self.back(card) & RANK_BITS >= DRAW for card in cards if card != without)

    # ------------------------------------------------------------ bluffs
    def guilt(self, seat: int) -> float:
        """The posterior chance that a Wild Draw was a bluff, with ``BLUFFERS`` as the prior rate of bluffing."""
        color, wilds = self.memory.color_before, self.options.wilds_match_in_challenge
        clean = prod(
            1 - sum(p for face, p in fronts.items() if face >> COLOR_AT == color or (wilds and face >= FIRST_WILD))
            for fronts in self.fronts(seat)
        )
        bluffing = (1 - clean) * BLUFFERS / 100
        return bluffing / (bluffing + clean)

    def suspicion(self, without: int) -> float:
        """The chance that a hand with these backs holds the color in force, to somebody who knows only the deck."""
        chances = [self._share(self.back(card)) for card in self.hand if card != without]
        return 1 - prod(1 - chance for chance in chances)

    def _share(self, back: int) -> float:
        """The share of the cards with a back that have the color in force."""
        front_at, back_at = (1, 0) if self.game.side == DARK else (0, 1)
        fronts: Sequence[int] = [pair[front_at] for pair in public_pairs(self.options) if pair[back_at] == back]
        fronts = fronts or faces_in(self.options.cards)
        return sum(front >> COLOR_AT == self.game.color for front in fronts) / len(fronts)


def fits(face: int, color: int, rank: int) -> bool:
    return face >= FIRST_WILD or face >> COLOR_AT == color or face & RANK_BITS == rank
