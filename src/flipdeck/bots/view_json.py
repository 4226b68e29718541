"""Strict parser of a view in JSON: what can't be a view is refused before anybody searches it.

It reads the view that the referee prints, alone or within its whole answer.  ``owed``, ``dealer``, ``round_number`` and
``winners`` are optional: by default one draw card is owed in a challenge; the others don't matter to a move.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, NoReturn, TypeVar

from ..core.cards import Card, Color, Face, Seat, Side, full_deck
from ..core.codes import MAX_PLAYERS
from ..core.errors import BadRequest
from ..core.notation import Move
from ..core.options import Options
from ..core.pairing import PRINTED_PAIRS
from ..core.reading import moves_of
from ..core.view import Backs, Phase, View
from .belief.memory import Memory

T = TypeVar("T")
E = TypeVar("E", bound=Enum)

FIELDS = (
    *("you", "side", "direction", "phase", "to_act", "color", "top", "draw_back", "draw_count", "discard_count"),
    *("hand", "others", "catchable", "scores", "legal"),
)
MORE = ("round_number", "dealer", "owed", "winners")
MOST = 1_000_000_000  # of any number in it
_OVER = (Phase.ROUND_OVER, Phase.MATCH_OVER)


def read_view(text: str, options: Options) -> View:
    """Parse a view; ``BadRequest`` says what is wrong with it."""
    view = _Reader(_object_in(text), options).view()
    _check_cards(view, options)
    if view.you is not None:
        _check_legal(view, options)
    return view


def _object_in(text: str) -> Mapping[str, Any]:
    try:
        told = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadRequest("view-json", line=getattr(error, "lineno", 1), column=getattr(error, "colno", 1)) from None
    if isinstance(told, dict) and "view" in told:
        told = told["view"]
    if not isinstance(told, dict):
        raise BadRequest("view-shape")
    for name in FIELDS:
        if name not in told:
            raise BadRequest("view-field", name=name)
    for name in told:
        if name not in FIELDS and name not in MORE:
            raise BadRequest("view-extra", name=name)
    return told


class _Reader:
    """Parses field by field."""

    def __init__(self, told: Mapping[str, Any], options: Options) -> None:
        self._told = told
        self._options = options
        self._players = len(self._list("scores"))
        if not 2 <= self._players <= MAX_PLAYERS:
            self._bad("scores")

    def view(self) -> View:
        you = self._seat_or_none("you")
        side = self._one_of("side", Side)
        phase = self._one_of("phase", Phase)
        over = phase in _OVER
        to_act = self._seat_or_none("to_act")
        if (to_act is None) is not over:
            self._bad("to_act")
        view = View(
            you=you,
            side=side,
            direction=self._number("direction", (1, -1)),
            phase=phase,
            to_act=to_act,
            color=self._color(side, phase),
            top=self._face("top", self._told["top"], side),
            draw_back=self._draw_back(side),
            draw_count=self._number("draw_count", range(self._options.deck)),
            discard_count=self._number("discard_count", range(1, self._options.deck)),
            hand=() if you is None else tuple(self._held(text, side) for text in self._list("hand")),
            others=self._others(you, side),
            catchable=self._seats("catchable"),
            scores=tuple(self._count("scores", score) for score in self._list("scores")),
            legal=tuple(self._parsed("legal", text, Move.parse) for text in self._list("legal")),
            round_number=self._number("round_number", range(1, MOST), 1),
            dealer=Seat(self._number("dealer", range(self._players), 0)),
            owed=self._owed(phase),
            winners=self._seats("winners"),
        )
        self._check_middle(view)
        return view

    # ------------------------------------------------------------ fields
    def _bad(self, name: str, value: object = None) -> NoReturn:
        raise BadRequest("view-value", name=name, value=self._told.get(name) if value is None else value)

    def _list(self, name: str) -> list[Any]:
        value = self._told.get(name, [])
        return value if isinstance(value, list) else self._bad(name)

    def _one_of(self, name: str, kind: type[E]) -> E:
        for each in kind:
            if self._told[name] == each.value:
                return each
        return self._bad(name)

    def _number(self, name: str, among: Collection[int], default: int | None = None) -> int:
        value = self._told.get(name, default)
        return value if type(value) is int and value in among else self._bad(name)

    def _count(self, name: str, value: object) -> int:
        return value if type(value) is int and 0 <= value < MOST else self._bad(name)

    def _seat_or_none(self, name: str) -> Seat | None:
        return None if self._told[name] is None else Seat(self._number(name, range(self._players)))

    def _seats(self, name: str) -> tuple[Seat, ...]:
        seats = self._list(name)
        if any(type(seat) is not int or not 0 <= seat < self._players or seats.count(seat) > 1 for seat in seats):
            self._bad(name)
        return tuple(map(Seat, sorted(seats)))

    def _parsed(self, name: str, text: object, parse: Callable[[str], T]) -> T:
        """Parse a text of the notation; the parser's own error says what is wrong."""
        return parse(text) if isinstance(text, str) else self._bad(name, text)

    def _face(self, name: str, text: object, side: Side) -> Face:
        face = self._parsed(name, text, Face.parse)
        return face if face in full_deck(side, self._options.deck) else self._bad(name, text)

    def _color(self, side: Side, phase: Phase) -> Color | None:
        """None while a color has to be called; either way when the round is over."""
        text = self._told["color"]
        if text is None and phase in (Phase.COLOR, *_OVER):
            return None
        color = self._parsed("color", text, Color.parse)
        return color if color.side is side and phase is not Phase.COLOR else self._bad("color")

    def _draw_back(self, side: Side) -> Face | None:
        text = self._told["draw_back"]
        if (text is None) is not (self._told["draw_count"] == 0):
            self._bad("draw_back")
        return None if text is None else self._face("draw_back", text, side.other)

    def _held(self, text: object, side: Side) -> Card:
        """A card of the own hand, with or without its back as ``own_backs`` says."""
        card = self._parsed("hand", text, Card.parse)
        seen = card if self._options.own_backs == "shown" else card.only(side)
        if card.face(side) is None or card != seen or (self._options.own_backs == "shown" and "?" in str(card)):
            raise BadRequest("view-own-backs", card=card, own_backs=self._options.own_backs)
        return card

    def _others(self, you: Seat | None, side: Side) -> tuple[Backs, ...]:
        others = []
        for told in self._list("others"):
            if not isinstance(told, dict) or {name: type(it) for name, it in told.items()} != {
                "seat": int,
                "backs": list,
            }:
                self._bad("others")
            backs = tuple(self._face("others", text, side.other) for text in told["backs"])
            others.append(Backs(Seat(told["seat"]), backs))
        if [other.seat for other in others] != [seat for seat in range(self._players) if seat != you]:
            self._bad("others")
        return tuple(others)

    def _owed(self, phase: Phase) -> int:
        if phase is Phase.CHALLENGE:
            return self._number("owed", range(1, MOST), 1)
        return self._number("owed", (0,), 0)

    def _check_middle(self, view: View) -> None:
        """Check that phase, top card and color agree."""
        if view.phase in _OVER:
            return
        if view.you is not None and not view.hand:
            self._bad("hand")
        if not all(other.backs for other in view.others):
            self._bad("others")
        if view.phase is Phase.COLOR and not view.top.is_wild:
            self._bad("top")
        if view.phase is Phase.CHALLENGE and "+" not in view.top.symbol.value:
            self._bad("top")
        if not view.top.is_wild and view.color is not view.top.color:
            self._bad("color")


# ---------------------------------------------------------------- the whole
def _check_cards(view: View, options: Options) -> None:
    """Check the number of cards, and that no face shows more often than the deck has it."""
    held = 0 if view.you is None else len(view.hand)
    total = held + sum(len(other.backs) for other in view.others) + view.draw_count + view.discard_count
    if total != options.deck:
        raise BadRequest("view-count", want=options.deck, got=total)
    backs = [back for other in view.others for back in other.backs] + [back for back in (view.draw_back,) if back]
    shown = {view.side: [view.top], view.side.other: backs}
    for side, faces in shown.items():
        want, got = full_deck(side, options.deck), Counter([*faces, *_known(card.face(side) for card in view.hand)])
        for face, number in got.items():
            if number > want[face]:
                raise BadRequest("view-faces", side=side.value, face=face, want=want[face], got=number)
    if options.pairing == "printed":
        _check_printed(
            [*view.hand, _showing(view.top, view.side), *(_showing(back, view.side.other) for back in backs)]
        )


def _known(faces: Iterable[Face | None]) -> list[Face]:
    return [face for face in faces if face is not None]


def _showing(face: Face, side: Side) -> Card:
    return Card(face, None) if side is Side.LIGHT else Card(None, face)


def _check_printed(seen: Sequence[Card]) -> None:
    """Check by bipartite matching that all visible cards can be printed cards at the same time."""
    deck = _printed_deck()
    taken: dict[int, int] = {}  # printed card to visible card

    def find(one: int, tried: set[int]) -> bool:
        """Find an augmenting path from this visible card."""
        for number, card in enumerate(deck):
            if number in tried or seen[one] not in (card, card.only(Side.LIGHT), card.only(Side.DARK)):
                continue
            tried.add(number)
            if number not in taken or find(taken[number], tried):
                taken[number] = one
                return True
        return False

    for one, card in enumerate(seen):
        if not find(one, set()):
            raise BadRequest("view-pairing", card=card)


def _printed_deck() -> list[Card]:
    entries = (entry.split(":") for entry in PRINTED_PAIRS.split(";"))
    return [Card.parse(f"{light.strip()}/{dark}") for light, darks in entries for dark in darks.split()]


def _check_legal(view: View, options: Options) -> None:
    """Check that ``legal`` is what the rules allow; a difference mostly means that the options are others."""
    assert view.you is not None  # noqa: S101
    memory = Memory(options, view.players, view.you)
    memory.see((), view)
    allowed = moves_of(memory.game, view.you, options.own_backs)
    for move in view.legal:
        if move not in allowed or view.legal.count(move) > 1:
            raise BadRequest("view-not-legal", move=move)
    for move in allowed:
        if move not in view.legal:
            raise BadRequest("view-legal", move=move)
