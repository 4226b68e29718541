"""Whole matches, as the page is told them: the tests of the page check that a callout on the board tells every event.

``python -m tests.i18n.test_callouts_of_the_page`` writes them anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from flipdeck.core.events import What
from flipdeck.core.match import Match
from flipdeck.core.view import Phase
from tests.random_matches import say_something

MATCHES = Path(__file__).parents[2] / "web" / "src" / "callouts" / "matches.json"
SEEN = ("phase", "to_act", "color", "top", "side", "owed", "drawn")  # of a view: what a callout looks at
MOST_MOVES = 90
TABLES: tuple[tuple[str, int, int | None, dict[str, object]], ...] = (
    ("classic", 3, 0, {"stacking": True, "jump_in": True, "false_catch_penalty": 1}),
    ("argentina", 3, 1, {}),
    ("mild-wild", 4, 0, {"start_side": "dark"}),
    ("splash", 2, 0, {"own_backs": "hidden"}),
    ("classic", 4, None, {"draw_until_playable": True, "scoring": "lowest", "opening_flip": "apply"}),
    ("classic", 3, 0, {"start_side": "dark", "stacking": True, "opening_flip": "apply"}),
    ("classic", 2, 1, {"bluffing": False, "forced_play": True}),
    ("classic", 10, 0, {"hand_size": 3, "jump_in": True}),
    ("classic", 2, 0, {"deck": "mini", "hand_size": 2, "most_moves": 20, "target": 200}),
)


def steps_of(match: Match, you: int | None, dice: Random) -> Iterator[dict[str, Any]]:
    """Every version of a match: the events as this seat is told them, and what of its view a callout needs."""

    def told(batch: Any) -> dict[str, Any]:
        view = match.view(you).to_dict()
        seen = {name: view[name] for name in SEEN}
        if view["phase"] == Phase.DRAWN.value and view["drawn"] is not None:
            seen["legal"] = view["legal"]
        return {"events": [event.to_dict() for event in match.seen(batch, you)], "view": seen}

    yield told(match.history[0].dealt)
    for _ in range(MOST_MOVES):
        if match.over:
            return
        if match.to_act is None:
            yield told(match.next_round())
            continue
        say_something(match, dice, eager=True)
        yield told(match.history[-1].said[-1].events)


def matches() -> Iterator[dict[str, Any]]:
    for number, (edition, players, you, options) in enumerate(TABLES):
        short = {"hand_size": 4, "target": 60, **options}
        match = Match(edition, players, options=short, seed=bytes([1] * 32))
        steps = list(steps_of(match, you, Random(number)))
        yield {"edition": edition, "players": players, "you": you, "steps": steps}


def as_text() -> str:
    """A line a step, so that a change of one is seen as one."""
    texts = []
    for match in matches():
        steps = ",\n".join(json.dumps(step, separators=(",", ":")) for step in match.pop("steps"))
        texts.append(f'{json.dumps(match)[:-1]}, "steps": [\n{steps}\n]}}')
    return "[\n" + ",\n".join(texts) + "\n]\n"


def test_the_matches_of_the_page_are_those_of_the_rules() -> None:
    assert MATCHES.read_text(encoding="utf-8") == as_text(), f"python -m {__name__} writes them anew"


def test_every_kind_of_event_is_in_them() -> None:
    told = {event["event"] for match in matches() for step in match["steps"] for event in step["events"]}
    assert told == {what.value for what in What}


if __name__ == "__main__":
    MATCHES.write_text(as_text(), encoding="utf-8")
