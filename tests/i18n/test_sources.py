"""Nothing is decided in silence: what the printed sheets leave open is marked in the rule book, edition by edition."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest

from flipdeck.i18n import rulebook
from flipdeck.i18n.rulebook import EDITIONS, EVERY, LANGUAGES, Book, Topic, book

SOURCES: dict[str, Any] = tomllib.loads(files(rulebook).joinpath("sources.toml").read_text(encoding="utf-8"))
RULES: dict[str, dict[str, dict[str, str]]] = SOURCES["rules"]
PRINTED = [topic for topic in book("en").topics if topic.id not in SOURCES["unprinted"]]
LONGEST = 60  # a place on a sheet, not its sentence


def editions_in(notes: Mapping[str, str]) -> set[str]:
    return set(EDITIONS) if EVERY in notes else set(notes)


def unmarked(shown: Book, rules: Mapping[str, Mapping[str, Mapping[str, str]]]) -> list[str]:
    """Every rule of an edition whose mark is missing, or that is marked although its sheet leaves nothing open."""
    lines = []
    for rule_id, source in rules.items():
        open_in = editions_in(source.get("open", {}))
        for edition in EDITIONS:
            decided = bool(shown.rule(rule_id).decided_in(edition))
            if decided != (edition in open_in):
                lines.append(f"{rule_id} is {'' if decided else 'not '}marked as decided in {edition}")
    return lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_sheet_leaves_open_is_marked_and_nothing_else(language: str) -> None:
    assert unmarked(book(language), RULES) == []


def test_every_rule_of_a_printed_topic_has_its_source_in_every_edition() -> None:
    assert set(RULES) == {rule.id for topic in PRINTED for rule in topic.rules}
    for rule_id, source in RULES.items():
        assert set(source) <= {"stated", "open"}
        stated, open_in = editions_in(source.get("stated", {})), editions_in(source.get("open", {}))
        assert stated | open_in == set(EDITIONS), f"{rule_id}: nobody read the sheet of every edition"


def test_a_source_is_a_place_on_a_sheet_of_that_edition() -> None:
    sheets: dict[str, dict[str, Any]] = SOURCES["sheets"]
    assert {sheet["edition"] for sheet in sheets.values()} == set(EDITIONS)
    for rule_id, source in RULES.items():
        for edition, place in source.get("stated", {}).items():
            sheet, _, section = place.partition(" ")
            assert sheets[sheet]["edition"] == edition, f"{rule_id} in {edition}"
            assert 0 < len(section) <= LONGEST, rule_id
        assert all(0 < len(what) <= LONGEST for what in source.get("open", {}).values()), rule_id


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_topic_without_a_sheet_is_marked_as_a_whole(language: str) -> None:
    """Options are marked at the rules that they change."""
    marked = [topic.id for topic in book(language).topics if topic.decided]
    assert marked == [topic for topic in SOURCES["unprinted"] if topic != "options"]
    for topic in book(language).topics:
        assert topic.id != "options" or all(set(rule.related) & set(RULES) for rule in topic.rules)


def test_only_rules_that_no_sheet_has_are_in_topics_without_one() -> None:
    unprinted = [rule for topic in book("en").topics if topic.id in SOURCES["unprinted"] for rule in topic.rules]
    assert [rule.id for rule in unprinted if rule.setting is None] == ["DECK-6"]


# ---------------------------------------------------------------- the check itself
def without_decisions(topic: Topic, rule_id: str) -> Topic:
    return replace(topic, rules=tuple(replace(r, decided=()) if r.id == rule_id else r for r in topic.rules))


def test_a_mark_that_is_taken_away_is_missed_in_every_edition_it_was_for() -> None:
    shown = book("en")
    silent = replace(shown, topics=tuple(without_decisions(topic, "UNO-4") for topic in shown.topics))
    others = [edition for edition in EDITIONS if edition != "argentina"]
    assert unmarked(silent, RULES) == [f"UNO-4 is not marked as decided in {edition}" for edition in others]


def test_a_mark_of_what_a_sheet_states_is_found() -> None:
    stated = {**RULES, "UNO-4": {"stated": dict.fromkeys(EDITIONS, "a sheet")}}
    others = [edition for edition in EDITIONS if edition != "argentina"]
    assert unmarked(book("en"), stated) == [f"UNO-4 is marked as decided in {edition}" for edition in others]
