"""The one declaration of what observations hold: their arrays, section by section.

Column numbers, spaces, names and the tables of ``docs/observations.md`` are derived from it.  ``compiled.encoding``
writes to a section by its place in its list.  A new section is a line here, its name there, and what writes it.  Any
change here changes the version of the environments: a test with a golden hash makes sure of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod

from ..bulk.acting import KINDS
from ..bulk.features import FEATURES
from ..core.errors import BadOption

COLORS = ("a", "b", "c", "d")  # red / pink, yellow / orange, green / teal, blue / purple
RANKS = (*map(str, range(1, 10)), "+", "R", "S", "F")
FACES = (*(color + rank for color in COLORS for rank in RANKS), "W", "W+")
PLAYS = (
    *(f"{face}.{copy}" for face in FACES[:52] for copy in range(2)),
    *(f"{w}.{c}" for w in FACES[52:] for c in range(4)),
)
PHASES = ("turn", "drawn", "challenge", "color", "over")

FACE, PLAY, COLOR, PHASE, SEAT, OTHER = "face", "play", "color", "phase", "seat", "other"


@dataclass(frozen=True)
class Section:
    """Some columns with one meaning: one for each element of its axes, or a single one."""

    name: str
    axes: tuple[str, ...]
    high: int  # the largest value
    text: str

    def labels(self, players: int) -> Iterator[str]:
        for place in product(*(_axis(axis, players) for axis in self.axes)):
            yield f"{self.name}[{', '.join(place)}]" if place else self.name

    def width(self, players: int) -> int:
        return prod(len(_axis(axis, players)) for axis in self.axes)


def _axis(name: str, players: int) -> tuple[str, ...]:
    seats = tuple(str(step) for step in range(players))
    fixed = {FACE: FACES, PLAY: PLAYS, COLOR: COLORS, PHASE: PHASES}
    return fixed.get(name) or (seats if name == SEAT else seats[1:])


TABLE = (
    Section("top", (FACE,), 1, "the face on top of the discard pile, one of them"),
    Section("color", (COLOR,), 1, "the color in force; none while one has to be called"),
    Section("phase", (PHASE,), 1, "what the player on turn has to do"),
    Section("to_act", (SEAT,), 1, "the player on turn"),
    Section("dealer", (SEAT,), 1, "the dealer of the round"),
    Section("counts", (SEAT,), 255, "cards in each hand"),
    Section("catchable", (SEAT,), 1, "who has one card, did not say UNO and can be caught"),
    Section("scores", (SEAT,), 255, "points of the match: 200 is the target, 255 and more are 255"),
    Section("dark", (), 1, "the dark side is in play"),
    Section("clockwise", (), 1, "the direction of play"),
    Section("draw_count", (), 255, "cards in the draw pile"),
    Section("discard_count", (), 255, "cards in the discard pile"),
    Section("owed", (), 255, "stacked draw cards to be answered"),
    Section("passes", (), 255, "turns in a row in which there was nothing to draw"),
    Section("moves", (), 255, "moves of the round so far, at most 255"),
)
FLAT = (
    *TABLE,
    Section("hand", (FACE,), 255, "how many of each active face you hold"),
    Section("own_backs", (FACE,), 255, "how many of each inactive face are on your cards, as far as you may know them"),
    Section(
        "behind", (PLAY,), KINDS + 1,
        "the back of each card that an action can play (a face, and which of its copies in order of arrival): 0 not "
        "held, 1 held with a back that you may not see, 2 and more: the inactive face, counted from 2",
    ),
    Section("drawn", (FACE,), 1, "the active face of the card that you have just drawn"),
    Section("backs", (OTHER, FACE), 255, "how many of each inactive face another hand shows"),
    Section(
        "known", (OTHER, FACE), 255,
        "how many of each active face you know to be in another hand: cards held through a flip, shown by a challenge, "
        "or shown when they were drawn",
    ),
    Section("discard", (FACE,), 255, "how many of each active face lie in the discard pile"),
    Section(
        "discard_backs", (FACE,), 255,
        "how many of each inactive face lie in the discard pile; empty where own backs are hidden (own_backs=hidden)",
    ),
    Section("draw_back", (FACE,), 1, "the inactive face on top of the draw pile"),
)  # fmt: skip
CARD = (
    Section("front", (), KINDS, "the active face, counted from 1; 0 if it is not known"),
    Section("back", (), KINDS, "the inactive face, counted from 1; 0 if it is not known"),
    Section("owner", (), 12, "0 no card, 1 you, 2 to 10 the seats after you clockwise, 11 discard pile, 12 draw pile"),
    Section("place", (), 255, "in the order of the hand, from 0; in a pile, from the top"),
    Section("just_drawn", (), 1, "the card that you have just drawn"),
)
EVENT = (
    Section("what", (), 28, "the kind of event (`core.rules.log`), counted from 1; 0 is no event"),
    Section("seat", (), 10, "whose event: 1 yours, 2 the next seat clockwise …"),
    Section("other", (), 10, "the other seat in it, counted alike; 0 none"),
    Section("light", (), KINDS, "the light face of its card, counted from 1; 0 none, or not shown to you"),
    Section("dark", (), KINDS, "the dark face of its card, counted from 1; 0 none, or not shown to you"),
    Section("color", (), 4, "the color called, counted from 1"),
    Section("on_dark", (), 1, "the dark side is in play; after a flip, the new side"),
)
HELD = (
    Section("light", (), KINDS, "the light face, counted from 1"),
    Section("dark", (), KINDS, "the dark face, counted from 1"),
    Section("owner", (), 12, "as in `cards`, and every card of the draw pile"),
    Section("place", (), 255, "in the order of the hand, from 0; in a pile, from the top"),
)
MOVE_ROWS = {"full": 96, "compact": 32}  # more legal actions than a decision can have


@dataclass(frozen=True)
class Array:
    """One array of an observation: sections in a row, and so many rows of them."""

    name: str
    sections: tuple[Section, ...]
    rows: str = ""  # "" a single row; else what a row is
    text: str = ""
    dtype: str = "uint8"


@dataclass(frozen=True)
class Observation:
    name: str
    arrays: tuple[Array, ...]
    text: str
    hidden: bool = False  # it has hidden cards in it


_TABLE = Array("table", TABLE, text="the public state of the round")
OBSERVATIONS = {
    each.name: each
    for each in (
        Observation("flat", (Array("observation", FLAT),), "one row: what a seat sees, and remembers of hands"),
        Observation(
            "cards", (_TABLE, Array("cards", CARD, "card", "a row for each card that a seat knows of")),
            "the table, and a token for each card",
        ),
        Observation(
            "moves", (
                _TABLE,
                Array("moves", (), "move", "the features of each legal action (`bulk.features`)", "float32"),
                Array("actions", (), "move", "the action of each row; -1 where there is none", "int16"),
            ),
            "the table, and a row of features for each legal action",
        ),
        Observation(
            "history", (Array("events", EVENT, "event", "a row for each event, as the seat saw it"), _TABLE),
            "perfect recall: every event of the episode",
        ),
        Observation(
            "state", (_TABLE, Array("hidden_cards", HELD, "card", "a row for each card of the deck, hidden ones too")),
            "everything, hidden cards too: for a critic in training, never for a player", hidden=True,
        ),
    )
}  # fmt: skip


def observation_named(name: object) -> Observation:
    if not isinstance(name, str) or name not in OBSERVATIONS:
        raise BadOption("not-a-choice", name="observation", value=name, known=" or ".join(OBSERVATIONS))
    return OBSERVATIONS[name]


@dataclass(frozen=True)
class Layout:
    """The columns of some sections for a number of players."""

    sections: tuple[Section, ...]
    players: int

    @cached_property
    def starts(self) -> list[int]:
        """Where each section begins, and where the last one ends."""
        starts = [0]
        for section in self.sections:
            starts.append(starts[-1] + section.width(self.players))
        return starts

    @property
    def width(self) -> int:
        return self.starts[-1]

    @cached_property
    def labels(self) -> list[str]:
        return [label for section in self.sections for label in section.labels(self.players)]

    @cached_property
    def highs(self) -> list[int]:
        return [section.high for section in self.sections for _ in range(section.width(self.players))]

    def slice_of(self, name: str) -> slice:
        at = [section.name for section in self.sections].index(name)
        return slice(self.starts[at], self.starts[at + 1])


def shape_of(array: Array, players: int, cards: int, actions: str, events: int) -> tuple[int, ...]:
    """The shape of an array for one game."""
    if array.name == "moves":
        return MOVE_ROWS[actions], FEATURES
    if array.name == "actions":
        return (MOVE_ROWS[actions],)
    width = Layout(array.sections, players).width
    rows = {"card": cards, "event": events}.get(array.rows)
    return (width,) if rows is None else (rows, width)
