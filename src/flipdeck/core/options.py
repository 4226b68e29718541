"""Every option of the rules: declared once, validated, frozen.

An edition is a set of values for these (``editions``); a house rule is one of them turned on.  An impossible value
or combination is refused when it is set, with a sentence that says why.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any

from .codes import CARDS, MAX_PLAYERS, MINI_CARDS
from .errors import BadOption

MINI = "mini"  # the deck for research (DECK-6)
MINI_HAND, MINI_MOVES = 2, 20  # what can be dealt from it, and solved

# the numbers of named choices in the rules: the place of each in its list below
SHUFFLED, PRINTED = 0, 1  # pairing
HIGHEST_CARD, CHOSEN = 0, 1  # first_dealer
ACT, IGNORE = 0, 1  # opening_actions
STAYS, GOES_BACK = 0, 1  # opening_ignored
REDRAW, APPLY = 0, 1  # opening_flip
SKIP_TURN, JUST_TURN = 0, 1  # two_player_reverse
FLIPPER, NEXT = 0, 1  # wild_after_flip_to_dark, wild_after_flip_to_light
NEXT_TURN, WHILE_ONE_CARD = 0, 1  # catch_window
POINTS, LOWEST, QUICK = 0, 1, 2  # scoring


def one_of(*choices: str | int, research: tuple[str | int, ...] = ()) -> Any:
    """A named choice; the first is the default, and the place of each is its number in the rules.

    Choices for ``research`` are not offered at tables.
    """
    return field(default=choices[0], metadata={"choices": choices, "research": research})


def switch(default: bool) -> Any:
    return field(default=default, metadata={"switch": True})


def number(default: int, low: int, high: int, *, research: bool = False) -> Any:
    """A whole number; one for ``research`` is not offered at tables."""
    return field(default=default, metadata={"range": (low, high), "research": research})


@dataclass(frozen=True, slots=True)
class Options:
    """All options of the rules; the defaults are those of the classic edition."""

    # the deck
    deck: int | str = one_of(112, 108, MINI, research=(MINI,))
    pairing: str = one_of("shuffled", "printed")
    # setting up
    first_dealer: str = one_of("highest_card", "chosen")
    opening_actions: str = one_of("act", "ignore")
    opening_ignored: str = one_of("stays", "goes_back")
    opening_flip: str = one_of("redraw", "apply")
    # where the sheets differ or leave a choice
    two_player_reverse: str = one_of("skip", "turn")
    reveal_draw_color: bool = switch(False)
    wilds_match_in_challenge: bool = switch(False)
    wild_after_flip_to_dark: str = one_of("flipper", "next")
    wild_after_flip_to_light: str = one_of("flipper", "next")
    catch_window: str = one_of("next_turn", "while_one_card")
    late_uno: bool = switch(True)
    own_backs: str = one_of("shown", "hidden")
    scoring: str = one_of("points", "lowest", "quick")
    target: int = number(500, 1, 1_000_000)
    # house rules
    stacking: bool = switch(False)
    jump_in: bool = switch(False)
    draw_until_playable: bool = switch(False)
    forced_play: bool = switch(False)
    bluffing: bool = switch(True)
    false_catch_penalty: int = number(0, 0, 10)
    uno_penalty: int = number(2, 0, 10)
    hand_size: int = number(7, 1, 10)
    start_side: str = one_of("light", "dark")
    # for research, and for tables that must end
    most_moves: int = number(0, 0, 1_000_000, research=True)

    def __post_init__(self) -> None:
        for spec in fields(self):
            object.__setattr__(self, spec.name, _checked(spec, getattr(self, spec.name)))
        if self.pairing == "printed" and self.deck != 112:
            raise BadOption("no-printed-pairing", deck=self.deck)
        if self.deck == MINI and (self.hand_size > MINI_HAND or not 1 <= self.most_moves <= MINI_MOVES):
            raise BadOption("mini-deck", hand=MINI_HAND, moves=MINI_MOVES)

    @property
    def cards(self) -> int:
        """The number of cards in the deck."""
        return self.deck if isinstance(self.deck, int) else MINI_CARDS

    def changed(self, values: Mapping[str, object]) -> Options:
        """These options with some values replaced: ``on``/``off``, numbers and choices may come as texts."""
        if not isinstance(values, Mapping):
            raise BadOption("not-by-name", kind=type(values).__name__)
        known = {spec.name for spec in fields(self)}
        for name in values:
            if name not in known:
                raise BadOption("unknown-option", name=name, known=", ".join(sorted(known)))
        return replace(self, **values)  # type: ignore[arg-type]  # __post_init__ checks every value

    def check_players(self, players: object) -> int:
        """DECK-5, and the deck must be enough."""
        if type(players) is not int or not 2 <= players <= MAX_PLAYERS:
            raise BadOption("players", value=players)
        if self.deck == MINI and players != 2:
            raise BadOption("mini-players", players=players)
        if players * self.hand_size + players + 1 > self.cards:
            raise BadOption("deck-too-small", players=players, hand_size=self.hand_size, deck=self.deck)
        return players

    def differences(self, base: Options) -> dict[str, object]:
        """What was changed from a base, by name."""
        mine = {spec.name: getattr(self, spec.name) for spec in fields(self)}
        return {name: value for name, value in mine.items() if value != getattr(base, name)}


@dataclass(slots=True)
class OptionCodes:
    """The options that the rules read, as their numbers: the first fields of a ``Game``."""

    deck: int = CARDS
    pairing: int = SHUFFLED
    first_dealer: int = HIGHEST_CARD
    opening_actions: int = ACT
    opening_ignored: int = STAYS
    opening_flip: int = REDRAW
    two_player_reverse: int = SKIP_TURN
    reveal_draw_color: int = 0
    wilds_match_in_challenge: int = 0
    wild_after_flip_to_dark: int = FLIPPER
    wild_after_flip_to_light: int = FLIPPER
    catch_window: int = NEXT_TURN
    late_uno: int = 1
    scoring: int = POINTS
    target: int = 500
    stacking: int = 0
    jump_in: int = 0
    draw_until_playable: int = 0
    forced_play: int = 0
    bluffing: int = 1
    false_catch_penalty: int = 0
    uno_penalty: int = 2
    hand_size: int = 7
    start_side: int = 0
    most_moves: int = 0  # 0: no limit


def code_of_option(spec: Field[Any], options: Options) -> int:
    """An option's value as the number that the rules use; that of a deck is its size."""
    if spec.name == "deck":
        return options.cards
    value = getattr(options, spec.name)
    return int(spec.metadata["choices"].index(value)) if "choices" in spec.metadata else int(value)


def is_for_research(spec: Field[Any], value: object) -> bool:
    """A value that tables don't offer."""
    research = spec.metadata.get("research", False)
    return value != spec.default and research is True or isinstance(research, tuple) and value in research


def text_of_option(value: object) -> str:
    """As people write it: ``on``, ``off``, a number or the name of a choice."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


_SWITCH = {"on": True, "off": False, "true": True, "false": False, "yes": True, "no": False}


def _checked(spec: Field[Any], value: object) -> object:
    if "switch" in spec.metadata:
        if isinstance(value, str):
            value = _SWITCH.get(value.lower(), value)
        if not isinstance(value, bool):
            raise BadOption("not-a-switch", name=spec.name, value=value)
        return value
    if "range" in spec.metadata:
        low, high = spec.metadata["range"]
        value = _whole_number(value)
        if type(value) is not int or not low <= value <= high:
            raise BadOption("not-a-number", name=spec.name, low=low, high=high, value=value)
        return value
    choices = spec.metadata["choices"]
    if spec.name == "deck":
        value = _whole_number(value)
    if type(value) not in (str, int) or value not in choices:  # 112.0 and True are equal to some, and are none
        raise BadOption("not-a-choice", name=spec.name, value=value, known=" or ".join(map(str, choices)))
    return value


def _whole_number(value: object) -> object:
    """A short text of digits as a number; anything else as it is."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    return value
