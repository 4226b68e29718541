"""The measures.  Each is a ratio of two whole-number sums over matches, such as flips over rounds.

``sums_of`` adds up the rows of each match; a ``Measure`` names the two sums that are divided.  Wins are counted by seat
and by place, clockwise from the dealer: place 0 deals, place 1 sits to the left of the dealer.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from ...bulk import rows
from ...bulk.batches import IntArray
from ...core.codes import MAX_PLAYERS
from ...core.options import Options
from ...core.rules import log

WHOLE = 2520  # one win: a multiple of 1 to 10, so that a tie splits into whole numbers

# column of the sums: column of the rows
_COPIED = {
    "decisions": rows.DECISIONS,
    "dark_decisions": rows.DARK_DECISIONS,
    "turns": rows.TURNS,
    "forced_keeps": rows.FORCED_KEEPS,
    "points": rows.POINTS,
    "missed_uno": rows.MISSED_UNO,
    "unfinished": rows.UNFINISHED,
    "void": log.VOID,
    "played": log.PLAYED,
    "drew": log.DREW,
    "flipped": log.FLIPPED,
    "reshuffled": log.RESHUFFLED,
    "passed": log.PASSED,
    "challenged": log.CHALLENGED,
    "found_guilty": log.FOUND_GUILTY,
    "caught": log.CAUGHT,
    "caught_in_vain": log.CAUGHT_IN_VAIN,
    "jumped_in": log.JUMPED_IN,
}
_FLAGS = {"with_flip": log.FLIPPED, "with_reshuffle": log.RESHUFFLED, "with_pass": log.PASSED}
_OWN = ("matches", "wins", "rounds", "won", "out_light", "out_dark")
COLUMNS = {name: i for i, name in enumerate((*_OWN, *_COPIED, *_FLAGS))}
# and one column per player for each of these: who won a match, who won a round, by seat and by place
BY_SEAT = ("match_seat", "match_place", "round_seat", "round_place")


def column_of(name: str, players: int, place: int = 0) -> int:
    if name in COLUMNS:
        return COLUMNS[name]
    return len(COLUMNS) + BY_SEAT.index(name) * players + place


def sums_of(table: IntArray, players: int) -> IntArray:
    """The sums of every match in a table of whole matches: sums by row, matches by column."""
    if not len(table) or not table[-1, rows.WON_BY]:
        raise ValueError("a table to count must hold whole matches, at least one")
    of = np.ascontiguousarray(table.T)
    counted = np.zeros((len(COLUMNS) + len(BY_SEAT) * players, len(table)), np.int64)
    won, dark = of[rows.WINNER] >= 0, of[rows.ENDED_DARK] != 0
    ends = of[rows.WON_BY] != 0
    own: dict[str, Any] = {"matches": ends, "wins": WHOLE * ends, "rounds": 1, "won": won}
    own |= {"out_light": won & ~dark, "out_dark": won & dark}
    for name, value in own.items():
        counted[COLUMNS[name]] = value
    for name, source in _COPIED.items():
        counted[COLUMNS[name]] = of[source]
    for name, source in _FLAGS.items():
        counted[COLUMNS[name]] = of[source] > 0
    _count_winners(of, players, counted)
    closing = np.flatnonzero(ends)
    starts = np.concatenate(([0], closing[:-1] + 1))
    sums: IntArray = np.add.reduceat(counted, starts, axis=1)
    return sums


def _count_winners(of: IntArray, players: int, counted: IntArray) -> None:
    winner, dealer, won_by = of[rows.WINNER], of[rows.DEALER], of[rows.WON_BY]
    won_from_dealer = np.where(winner >= 0, (winner - dealer) % players, -1)
    first_dealer = (dealer - of[rows.ROUND] + 1) % players  # the deal passes to the left every round
    shared_by = sum(won_by >> seat & 1 for seat in range(players))
    part = WHOLE // np.maximum(shared_by, 1)
    for place in range(players):
        seat = (first_dealer + place) % players
        counted[column_of("match_seat", players, place)] = part * (won_by >> place & 1)
        counted[column_of("match_place", players, place)] = part * (won_by >> seat & 1)
        counted[column_of("round_seat", players, place)] = winner == place
        counted[column_of("round_place", players, place)] = won_from_dealer == place


@dataclass(frozen=True)
class Measure:
    """The ratio of ``top`` to ``bottom``: a share, or a mean."""

    key: str
    title: str
    top: str
    bottom: str
    share: bool = False
    place: int | None = None  # which seat or place, where there is one for each
    option: str = ""  # shown only where this option is in use

    @property
    def name(self) -> str:
        """A unique name; several measures of a list share a key."""
        return self.key if self.place is None else f"{self.key}[{self.place}]"

    def shown(self, options: Options) -> bool:
        """Whether it is reported under these options; it is counted in any case."""
        if self.option == "scoring":
            return options.scoring != "quick"
        return not self.option or bool(getattr(options, self.option))


_PLACES = ("the dealer", "left of the dealer", "2nd to the left", "3rd to the left")
_ENDED = "How rounds ended"
# title of a group: its measures
_GROUPS: dict[str, tuple[Measure, ...]] = {
    "Length": (
        Measure("decisions_per_round", "decisions a round", "decisions", "rounds"),
        Measure("turns_per_round", "turns a round", "turns", "rounds"),
        Measure("forced_keeps_per_round", "forced keeps a round, no decisions", "forced_keeps", "rounds"),
        Measure("rounds_per_match", "rounds a match", "rounds", "matches"),
        Measure("decisions_per_match", "decisions a match", "decisions", "matches", option="scoring"),
        Measure("points_per_round", "points a round", "points", "rounds", option="scoring"),
    ),
    "Cards": (
        Measure("played_per_round", "cards played a round", "played", "rounds"),
        Measure("drawn_per_round", "cards drawn a round", "drew", "rounds"),
        Measure("drawn_per_turn", "cards drawn a turn", "drew", "turns"),
        Measure("jump_ins_per_round", "jump-ins a round", "jumped_in", "rounds", option="jump_in"),
    ),
    "Sides": (
        Measure("flips_per_round", "flips a round", "flipped", "rounds"),
        Measure("rounds_with_flip", "rounds with a flip", "with_flip", "rounds", True),
        Measure("dark_share", "decisions on the dark side", "dark_decisions", "decisions", True),
    ),
    "Challenges": (
        Measure("challenges_per_round", "challenges a round", "challenged", "rounds", option="bluffing"),
        Measure("challenges_won", "challenges won", "found_guilty", "challenged", True, option="bluffing"),
    ),
    "UNO": (
        Measure("uno_missed_per_round", "UNO missed, times a round", "missed_uno", "rounds"),
        Measure("caught_per_round", "caught without UNO, times a round", "caught", "rounds"),
        Measure("missed_and_caught", "misses that were caught", "caught", "missed_uno", True),
        Measure(
            "caught_in_vain_per_round",
            "caught in vain, times a round",
            "caught_in_vain",
            "rounds",
            option="false_catch_penalty",
        ),
    ),
    "Piles": (
        Measure("reshuffles_per_round", "reshuffles a round", "reshuffled", "rounds"),
        Measure("rounds_with_reshuffle", "rounds with a reshuffle", "with_reshuffle", "rounds", True),
        Measure("passes_per_round", "passes with nothing left to draw, a round", "passed", "rounds"),
        Measure("rounds_with_pass", "rounds in which both piles ran out", "with_pass", "rounds", True),
    ),
    _ENDED: (
        Measure("ended_out_light", "somebody went out, light side", "out_light", "rounds", True),
        Measure("ended_out_dark", "somebody went out, dark side", "out_dark", "rounds", True),
        Measure("ended_void", "void, nobody went out", "void", "rounds", True),
        Measure("ended_unfinished", "given up as too long", "unfinished", "rounds", True),
    ),
}
ENDINGS = _GROUPS[_ENDED]


def name_of_place(place: int) -> str:
    return _PLACES[place] if place < len(_PLACES) else f"{place}th to the left"


def _winning(key: str, of: str, bottom: str, players: int, option: str = "") -> tuple[Measure, ...]:
    titles = [name_of_place(p) if of.endswith("place") else f"seat {p}" for p in range(players)]
    return tuple(Measure(key, title, of, bottom, True, place, option) for place, title in enumerate(titles))


@cache
def groups(players: int) -> dict[str, tuple[Measure, ...]]:
    """All measures for this number of players, by their titles in a report."""
    if not 2 <= players <= MAX_PLAYERS:
        raise ValueError(f"no game has {players} players")
    return {
        "Matches won, by seat": _winning("match_win_rate", "match_seat", "wins", players),
        "Matches won, by place from the first dealer": _winning(
            "match_win_rate_by_place", "match_place", "wins", players
        ),
        "Rounds won, by seat": _winning("round_win_rate", "round_seat", "won", players, "scoring"),
        "Rounds won, by place from the dealer": _winning(
            "round_win_rate_by_place", "round_place", "won", players, "scoring"
        ),
        **_GROUPS,
    }


@cache
def measures(players: int) -> tuple[Measure, ...]:
    return tuple(measure for group in groups(players).values() for measure in group)
