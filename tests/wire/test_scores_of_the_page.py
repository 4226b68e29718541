"""Whole matches of the rules, told as people with printed cards would enter them into the score pad of the page.

The page adds up points by itself there; its tests enter these matches card by card and compare.
``python -m tests.wire.test_scores_of_the_page`` writes them anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from flipdeck.core import editions
from flipdeck.core.cards import Side
from flipdeck.core.match import Match
from flipdeck.core.options import Options
from tests.random_matches import play_round

MATCHES = Path(__file__).parents[2] / "web" / "src" / "pad" / "matches.json"
SCORINGS = Options.__dataclass_fields__["scoring"].metadata["choices"]
MOST_ROUNDS = 25
PLAYERS = (2, 3, 5, 10)
# beside one match in every way of scoring and every edition: one that two players share
SHARED: tuple[str, str, int, dict[str, object], int] = ("classic", "lowest", 5, {"target": 40, "hand_size": 2}, 170)


def hands_left(match: Match) -> list[list[str]]:
    """The symbols that each seat still holds, on the side on which the round ended."""
    open_hands = match.view(None).laid_open
    assert open_hands is not None
    side = match.round.side
    return [[str(card.face(side).symbol.value) for card in hand] for hand in open_hands]  # type: ignore[union-attr]


def round_of(match: Match) -> dict[str, Any]:
    over = match.round
    return {
        "dealer": int(over.dealer),
        "side": over.side.value,
        "out": None if over.winner is None else int(over.winner),
        "hands": hands_left(match),
        "points": list(over.points or [0] * match.players),
        "scores": list(match.scores),
        "winners": [int(seat) for seat in match.winners],
    }


def rounds_of(match: Match, dice: Random) -> Iterator[dict[str, Any]]:
    for _ in range(MOST_ROUNDS):
        play_round(match, dice, eager=True)
        yield round_of(match)
        if match.over:
            return
        match.next_round()


def tables() -> Iterator[tuple[str, str, int, dict[str, object], int]]:
    for number, (edition, scoring) in enumerate(product(editions.NAMES, SCORINGS)):
        players = PLAYERS[number % len(PLAYERS)]
        options: dict[str, object] = {"target": 150, "hand_size": 4, "most_moves": 30 * players}
        yield edition, scoring, players, options, number
    yield SHARED


def matches() -> Iterator[dict[str, Any]]:
    for edition, scoring, players, options, number in tables():
        match = Match(edition, players, options={"scoring": scoring, **options}, seed=number.to_bytes(32, "big"))
        rounds = list(rounds_of(match, Random(number)))
        terms = {"edition": edition, "scoring": scoring, "target": options["target"], "players": players}
        yield {**terms, "rounds": rounds}


def as_text() -> str:
    """A line a round, so that a change of one is seen as one."""
    texts = []
    for match in matches():
        rounds = ",\n".join(json.dumps(each, separators=(",", ":")) for each in match.pop("rounds"))
        texts.append(f'{json.dumps(match)[:-1]}, "rounds": [\n{rounds}\n]}}')
    return "[\n" + ",\n".join(texts) + "\n]\n"


def test_the_matches_of_the_score_pad_are_those_of_the_rules() -> None:
    assert MATCHES.read_text(encoding="utf-8") == as_text(), f"python -m {__name__} writes them anew"


@pytest.mark.parametrize("scoring", SCORINGS)
def test_every_way_of_scoring_is_tried_in_every_edition(scoring: str) -> None:
    tried = [match for match in matches() if match["scoring"] == scoring]
    assert {match["edition"] for match in tried} == set(editions.NAMES)
    rounds = [each for match in tried for each in match["rounds"]]
    assert {each["side"] for each in rounds} == {side.value for side in Side}
    assert any(each["winners"] for each in rounds)


def test_void_rounds_and_shared_wins_are_among_them() -> None:
    rounds = [each for match in matches() for each in match["rounds"]]
    assert any(each["out"] is None for each in rounds)
    assert any(len(each["winners"]) > 1 for each in rounds)


if __name__ == "__main__":
    MATCHES.write_text(as_text(), encoding="utf-8")
