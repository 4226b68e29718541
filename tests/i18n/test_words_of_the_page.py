"""The page tells what happened in the same sentences as the terminal: one list of examples, checked on both sides.

``python -m tests.i18n.test_words_of_the_page`` writes the list anew; the tests of the page read it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from flipdeck.core.match import Match
from flipdeck.i18n import LANGUAGES, catalogue
from flipdeck.i18n.happenings import _key, together
from tests.random_matches import say_something

EXAMPLES = Path(__file__).parents[2] / "web" / "src" / "words" / "examples.json"
NAMES = ["Ana", "Ben", "Chloé"]
MATCHES = 12
TABLES: tuple[tuple[str, dict[str, object]], ...] = (
    ("classic", {"stacking": True, "jump_in": True, "false_catch_penalty": 1}),
    ("argentina", {"late_uno": True}),
    ("mild-wild", {"start_side": "dark"}),
    ("splash", {"own_backs": "hidden"}),
)


def happenings() -> Iterator[tuple[str, int | None, dict[str, Any]]]:
    """Events as seats and spectators are told them, until every kind has come."""
    for number in range(MATCHES):
        edition, options = TABLES[number % len(TABLES)]
        match = Match(edition, 3, options=options, seed=bytes([number] * 32))
        dice = Random(number)
        batches = [match.history[0].dealt]
        for _ in range(400):
            if match.over:
                break
            if match.to_act is None:
                batches.append(match.next_round())
                continue
            say_something(match, dice, eager=number % 2 == 0)
            batches.append(match.history[-1].said[-1].events)
        for batch in batches:
            for you in (0, 1, None):
                for event in together([each.to_dict() for each in match.seen(batch, you)]):
                    yield edition, you, dict(event)


def examples() -> list[dict[str, Any]]:
    """The first of every kind of sentence, in every language and edition that says it in its own way."""
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for edition, you, event in happenings():
        for language in LANGUAGES:
            words = catalogue(language, edition)
            kind = (language, edition if edition == "mild-wild" else "", _key(words, event, you) + event["side"])
            if kind not in found:
                sentence = words.event(event, you, NAMES)
                found[kind] = {"language": language, "edition": edition, "you": you, "event": event, "says": sentence}
    return list(found.values())


def as_text() -> str:
    return "[\n" + ",\n".join(json.dumps(each, ensure_ascii=False) for each in examples()) + "\n]\n"


def test_the_examples_of_the_page_are_those_of_the_catalogues() -> None:
    assert EXAMPLES.read_text(encoding="utf-8") == as_text(), f"python -m {__name__} writes them anew"


def test_nearly_every_event_is_among_the_examples() -> None:
    told = {example["event"]["event"] for example in examples()}
    assert len(told) >= 25


if __name__ == "__main__":
    EXAMPLES.write_text(as_text(), encoding="utf-8")
