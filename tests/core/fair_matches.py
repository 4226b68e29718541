"""Whole matches of these rules, which the check in the browser (``web/src/fairness``) must find fair.

``python -m tests.core.fair_matches`` writes them where its tests read them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from flipdeck.core.cards import Card, Side, full_deck
from flipdeck.core.match import Match

FILE = Path(__file__).parents[2] / "web" / "src" / "fairness" / "matches.json"
SEEDS = 3000  # tried at most for a match in which what is wanted happens
OptionValues = dict[str, object]


def goes_back(record: str) -> bool:
    return any(line.startswith("open:") and "<" in line for line in record.split("\n"))


def ties(record: str) -> bool:
    drawn = next((line for line in record.split("\n") if line.startswith("for the deal:")), "")
    return drawn.count(",") >= 3  # two players, and so two draws at least


def any_match(_: str) -> bool:
    return True


def has_three_rounds(record: str) -> bool:
    return "round 3," in record


def opens_otherwise(record: str) -> bool:
    """A card that is ignored goes back, and so does the next."""
    return any(line.startswith("open:") and line.count("<") > 1 for line in record.split("\n"))


def is_void_in_the_middle(record: str) -> bool:
    """The limit of moves ends a round between a draw and the word about it."""
    return "]\nleft" in record and "\nvoid" in record and "round 2," in record


def opens_with_a_flip(record: str) -> bool:
    return any(line.startswith("open:") and line[7] == "F" for line in record.split("\n"))


# what it shows, edition, players, options, and what must be in the record
MATCHES: list[tuple[str, str, int, OptionValues, Callable[[str], bool]]] = [
    ("classic", "classic", 3, {"target": 100, "hand_size": 3}, has_three_rounds),
    ("the printed pairing", "classic", 2, {"pairing": "printed", "target": 60}, any_match),
    ("a tie for the deal", "classic", 2, {"target": 1, "hand_size": 3}, ties),
    ("an opening card that goes back", "classic", 2, {"target": 1, "hand_size": 3}, goes_back),
    ("an opening flip", "classic", 3, {"target": 1, "hand_size": 3, "opening_flip": "apply"}, opens_with_a_flip),
    ("ten players and reshuffles", "classic", 10, {"target": 1, "hand_size": 9}, any_match),
    ("the deck of 108", "splash", 4, {"target": 60}, any_match),
    ("the Argentine edition", "argentina", 3, {"target": 1, "start_side": "dark"}, any_match),
    ("a dealer that is chosen", "mild-wild", 5, {}, any_match),
    (
        "backs that are hidden",
        "classic",
        2,
        {"target": 1, "own_backs": "hidden", "draw_until_playable": True},
        any_match,
    ),
    ("house rules", "classic", 4, {"target": 1, "stacking": True, "jump_in": True, "uno_penalty": 3}, any_match),
    ("an ignored opening card that goes back", "mild-wild", 2, {"opening_ignored": "goes_back"}, opens_otherwise),
    (
        "the mini deck and few moves",
        "classic",
        2,
        {"deck": "mini", "hand_size": 2, "most_moves": 8, "target": 100},
        is_void_in_the_middle,
    ),
    ("a dealer that is named", "mild-wild", 4, {}, any_match),
    ("a deck that is set", "classic", 2, {"target": 1, "hand_size": 3}, any_match),
    ("values that players added", "classic", 3, {"target": 1, "hand_size": 3}, any_match),
]


def sorted_deck() -> list[str]:
    """Light faces in their order, with a pairing that no seed has made."""
    backs = list(full_deck(Side.DARK, 112).elements())
    Random("backs").shuffle(backs)
    return [str(Card(*faces)) for faces in zip(full_deck(Side.LIGHT, 112).elements(), backs, strict=True)]


# of some matches, what the seed does not decide
GIVEN: dict[str, dict[str, Any]] = {
    "a dealer that is named": {"dealer": 2},
    "a deck that is set": {"deck": sorted_deck()},
    "values that players added": {"values": {2: bytes(range(32)), 0: bytes(range(32, 64))}},
}


def played(edition: str, players: int, options: OptionValues, seed: str, given: dict[str, Any]) -> tuple[str, int]:
    """The record of a match of random play, and how often a draw pile was made anew."""
    match, dice = Match(edition, players, seed=seed, options=options, **given), Random(seed)
    while not match.over:
        if match.round.over:
            match.next_round()
        choices = [(seat, move) for seat in range(players) for move in match.legal(seat) if str(move) != "draw"]
        on_turn = match.to_act
        seat, move = dice.choice(choices) if choices else (on_turn or 0, match.legal(on_turn or 0)[0])
        match.say(seat, move)
    events = [event for each in match.history for said in each.said for event in said.events]
    return match.record(), sum(event.what.value == "reshuffled" for event in events)


def fair_matches() -> dict[str, str]:
    made = {}
    for what, edition, players, options, wanted in MATCHES:
        given = GIVEN.get(what, {})
        tries = (played(edition, players, options, f"{what} {number}", given) for number in range(SEEDS))
        made[what] = next(
            record for record, shuffles in tries if wanted(record) and (shuffles > 1 or "reshuffles" not in what)
        )
    return made


if __name__ == "__main__":
    FILE.write_text(json.dumps(fair_matches(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
