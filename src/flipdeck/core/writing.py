"""Text of hands and moves, encoded straight from the numbers of a game: a table needs it after every move."""

from __future__ import annotations

from collections.abc import Collection

from .cards import Seat, Side, card_of, faces_of, text_of_card
from .codes import CARDS, DARK, FIRST_WILD, LIGHT
from .reading import WORDS, move_named, numbers_of_moves, side_in_play
from .rules.moves import COLOR_BITS, COLOR_SHIFT, UNO_SHIFT, WHAT_BITS
from .state import Game


class Hand:
    """A hand in order with its cached text; most moves leave most hands as they are."""

    __slots__ = ("_arrivals", "_backs", "_game", "_own", "_round", "_seat", "_sets", "_side", "cards")

    def __init__(self, g: Game, seat: Seat, cards: list[int]) -> None:
        self.cards = cards
        self._game, self._seat = g, seat
        self._round, self._side, self._arrivals = g.round, g.side, g.arrivals
        self._sets = g.sets[2 * seat : 2 * seat + 2]
        self._own: str | None = None
        self._backs: str | None = None

    def is_current(self, g: Game) -> bool:
        """The cache is valid: same cards, same order, same side up.  A card that left and came back is the last one."""
        seat = self._seat
        return (
            self._game is g
            and self._side == g.side
            and self._round == g.round
            and self._sets == g.sets[2 * seat : 2 * seat + 2]
            and (
                self._arrivals == g.arrivals
                or max([g.arrived[card] for card in self.cards], default=0) <= self._arrivals
            )
        )

    def own_text(self, own_backs: str) -> str:
        """As its owner sees it."""
        if self._own is None:
            self._own = quoted(card_texts(self._game, self.cards, own_backs))
        return self._own

    def backs_text(self) -> str:
        """As everybody else sees it."""
        if self._backs is None:
            g = self._game
            faces, back = faces_of(side_in_play(g).other), DARK - g.side
            backs = quoted([faces[g.faces[back + card]].text for card in self.cards])
            self._backs = f'{{"seat":{self._seat},"backs":[{backs}]}}'
        return self._backs


def card_texts(g: Game, cards: list[int], own_backs: str) -> list[str]:
    """Cards as their owner sees them (SEE-4)."""
    faces = g.faces
    if own_backs == "shown":
        return [text_of_card(faces[LIGHT + card], faces[DARK + card]) for card in cards]
    side = side_in_play(g)
    return [str(card_of(faces[LIGHT + card], faces[DARK + card]).only(side)) for card in cards]


def sayings_of(g: Game, seat: Seat, own_backs: str) -> dict[str, int]:
    """``reading.moves_of`` in the notation: to make a ``Move`` of each takes far longer."""
    sayings: dict[str, int] = {}
    side = side_in_play(g)
    for number in numbers_of_moves(g, seat):
        sayings.setdefault(_saying(g, side, number, own_backs), number)
    return sayings


def saying(g: Game, number: int, own_backs: str) -> str:
    """The notation of a move, by its number."""
    return _saying(g, side_in_play(g), number, own_backs)


def _saying(g: Game, side: Side, number: int, own_backs: str) -> str:
    what = number & WHAT_BITS
    if what >= CARDS:
        return _WORDS.get(what) or str(move_named(g, number, own_backs))
    (text,) = card_texts(g, [what], own_backs)
    if g.faces[g.side + what] >= FIRST_WILD:
        text = f"{text}={side.colors[number >> COLOR_SHIFT & COLOR_BITS].value}"
    return f"{text}!" if number >> UNO_SHIFT else text


def quoted(texts: Collection[str]) -> str:
    """Texts of the notation as elements of a JSON list; there is nothing in them to escape."""
    return f'"{_BETWEEN.join(texts)}"' if texts else ""


_WORDS = {number: str(move) for number, move in WORDS.items()}
_BETWEEN = '","'
