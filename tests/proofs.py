"""Which rules a test proves.

    @rule("FLIP-4", edition="splash")
    def test_after_a_flip_back_the_next_player_calls_the_color(edition: str) -> None: ...

A rule is proved edition by edition.  The test takes the edition as its argument and runs once for each one that it
speaks for: all four, unless it says otherwise.  So no test can claim an edition that it doesn't play.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import TypeVar

import pytest

from flipdeck.core.editions import NAMES

EDITIONS = NAMES
Proof = tuple[str, str]  # a rule and an edition
Test = TypeVar("Test", bound=Callable[..., None])

_DISARMED = {"skip", "skipif", "xfail"}


def rule(*ids: str, edition: str | Sequence[str] = EDITIONS) -> Callable[[Test], Test]:
    """Mark a test as the proof of some rules, and run it in every edition that it speaks for."""
    editions = (edition,) if isinstance(edition, str) else tuple(edition)
    if not ids or not editions or not set(editions) <= set(EDITIONS):
        raise ValueError(f"a proof names rules and editions, not {ids} in {editions}")

    def mark(test: Test) -> Test:
        if "edition" not in inspect.signature(test).parameters:
            raise TypeError(f"{test.__name__} proves {', '.join(ids)}: it must take the edition and play it")
        in_editions: Test = pytest.mark.parametrize("edition", editions)(test)
        proof: Test = pytest.mark.rule(*ids, editions=editions)(in_editions)
        return proof

    return mark


def proofs_in(modules: Iterable[ModuleType]) -> set[Proof]:
    """All that the tests of some modules prove; a test that is skipped or may fail proves nothing."""
    proved: set[Proof] = set()
    for module in modules:
        for name, test in vars(module).items():
            if name.startswith("test_"):
                proved |= _proofs_of(test)
    return proved


def _proofs_of(test: object) -> set[Proof]:
    marks: list[pytest.Mark] = getattr(test, "pytestmark", [])
    if any(mark.name in _DISARMED for mark in marks):
        return set()
    rules = [mark for mark in marks if mark.name == "rule"]
    return {(id_, edition) for mark in rules for id_ in mark.args for edition in mark.kwargs["editions"]}


def unproved(ids: Iterable[str], proved: set[Proof]) -> list[str]:
    """A line for every rule that lacks a proof in some edition."""
    lines = []
    for id_ in ids:
        missing = [edition for edition in EDITIONS if (id_, edition) not in proved]
        if missing:
            lines.append(f"{id_} has no test in {', '.join(missing)}")
    return lines
