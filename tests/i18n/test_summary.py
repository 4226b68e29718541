"""The rules on one page say the same in every language, and of every option what is in force."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from importlib.resources import files
from itertools import product
from string import Formatter
from typing import Any

import pytest

from flipdeck import i18n
from flipdeck.core import editions
from flipdeck.core.cards import Face, Side, full_deck
from flipdeck.core.options import Options
from flipdeck.i18n.rulebook import LANGUAGES, book, rule_ids
from tests.random_matches import values_of

INDEX: dict[str, Any]
FOLDER = files(i18n).joinpath("summary")
OPTIONS = {spec.name: spec for spec in fields(Options)}
# options that the summary leaves to the rule book: which faces share a card, how many wilds there are, where an opening
# card goes, and what only research has
LEFT_OUT = {"deck", "pairing", "opening_ignored", "most_moves"}
COMPUTED = {"draws", "more"}  # what a card makes somebody draw, what a wrong challenge costs


def source(name: str) -> dict[str, Any]:
    return tomllib.loads(FOLDER.joinpath(f"{name}.toml").read_text(encoding="utf-8"))


INDEX = source("index")
LINES: dict[str, dict[str, Any]] = INDEX["lines"]
ENGLISH, SPANISH = source("en"), source("es")


def texts(language: str) -> dict[str, str]:
    return {**(SPANISH if language != "en" else ENGLISH)["lines"], **source(language).get("lines", {})}


def words(language: str) -> set[str]:
    return {*(SPANISH if language != "en" else ENGLISH)["words"], *source(language).get("words", {})}


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def holds(line: str, options: Options) -> bool:
    def has(name: str, value: object) -> bool:
        return bool(getattr(options, name) == value)

    facts: Mapping[str, Mapping[str, object]] = LINES[line]
    said = all(has(*each) for each in facts.get("when", {}).items())
    return said and not any(has(*each) for each in facts.get("unless", {}).items())


def said(options: Options) -> list[tuple[object, ...]]:
    """Every line of the summary that is said with these options, and the numbers in it."""
    numbers = [name for name in OPTIONS if isinstance(getattr(options, name), int)]
    shown = [line for chapter in INDEX["chapters"] for line in chapter["lines"] if holds(line, options)]
    shown += [line for lines in INDEX["effects"].values() for line in lines if holds(line, options)]
    return [
        (line, *(getattr(options, name) for name in numbers if name in placeholders(ENGLISH["lines"][line])))
        for line in shown
    ]


# ---------------------------------------------------------------- complete
def test_every_line_has_a_sentence_and_a_place() -> None:
    placed = [line for chapter in INDEX["chapters"] for line in chapter["lines"]]
    placed += [line for lines in INDEX["effects"].values() for line in lines]
    assert set(placed) == LINES.keys() == ENGLISH["lines"].keys()
    assert [chapter["id"] for chapter in INDEX["chapters"]] == list(ENGLISH["chapters"])
    assert {chapter["topic"] for chapter in INDEX["chapters"]} <= {topic.id for topic in book("en").topics}


def test_spanish_says_all_that_english_says() -> None:
    for part in ("lines", "chapters"):
        assert SPANISH[part].keys() == ENGLISH[part].keys()


def test_argentine_spanish_says_only_what_it_says_otherwise() -> None:
    for part, own in source("es-AR").items():
        assert own.keys() <= SPANISH[part].keys()
        assert {key for key, text in own.items() if text == SPANISH[part][key]} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_tells_the_same_facts_in_every_language(language: str) -> None:
    known = {*OPTIONS, *COMPUTED}
    for line, text in texts(language).items():
        assert placeholders(text) <= known | words(language), line
        assert placeholders(text) & known == placeholders(ENGLISH["lines"][line]) & known, line


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_number_is_written_into_a_sentence(language: str) -> None:
    assert {line for line, text in texts(language).items() if re.search(r"\d|!", text)} == set()


def test_what_every_symbol_does_is_told() -> None:
    symbols = {face.symbol for side in Side for face in full_deck(side, 112)}
    assert {symbol.value for symbol in symbols if not symbol.is_number} | {"number"} == INDEX["effects"].keys()


def test_the_faces_that_are_drawn_are_on_a_card() -> None:
    faces = [Face.parse(face) for chapter in INDEX["chapters"] for face in chapter["cards"]]
    assert len(faces) > 10


# ---------------------------------------------------------------- what is in force
def test_a_condition_is_a_value_that_its_option_can_have() -> None:
    for facts in LINES.values():
        assert facts.keys() <= {"rules", "when", "unless"}
        for name, value in {**facts.get("when", {}), **facts.get("unless", {})}.items():
            assert value in values_of(name)


@pytest.mark.parametrize("option", sorted(OPTIONS.keys() - LEFT_OUT))
def test_another_value_of_an_option_is_another_summary(option: str) -> None:
    """In an edition that counts points, and in every way that play could make it matter."""
    wild_calls: tuple[dict[str, object], ...] = (
        {},
        {"wild_after_flip_to_dark": "next"},
        {"wild_after_flip_to_light": "next"},
    )
    for more in wild_calls:
        told = [said(Options().changed({**more, option: value})) for value in values_of(option)]
        assert len({str(each) for each in told}) == len(set(values_of(option)))


def test_lines_that_exclude_each_other_leave_no_gap() -> None:
    """Of the lines that ask the same options, one is said, whatever their values; a house rule may be silent."""
    quiet = {"start_dark", "jump_in", "stacking", "false_catch", "worth"}
    families: dict[tuple[str, ...], list[str]] = {}
    for line, facts in LINES.items():
        asked = tuple(sorted({**facts.get("when", {}), **facts.get("unless", {})}))
        if asked and line not in quiet:
            families.setdefault(asked, []).append(line)
    families[("opening_actions", "opening_flip")] += families.pop(("opening_actions",))
    for asked, lines in families.items():
        for values in product(*map(values_of, asked)):
            options = Options().changed(dict(zip(asked, values, strict=True)))
            assert sum(holds(line, options) for line in lines) == 1, (asked, values)


def test_a_line_names_the_rules_behind_it() -> None:
    for line, facts in LINES.items():
        assert facts["rules"], line
        assert set(facts["rules"]) <= set(rule_ids())


@pytest.mark.parametrize("edition", editions.NAMES)
def test_where_the_rule_book_has_an_edition_of_its_own_the_summary_has_too(edition: str) -> None:
    """Of the rules that lines name."""
    usual, own = editions.edition("classic").options, editions.edition(edition).options
    differing = {line for line in LINES if holds(line, usual) != holds(line, own)}
    named = {rule for line in LINES for rule in LINES[line]["rules"]}
    told = {rule for line in differing for rule in LINES[line]["rules"]}
    in_book = {rule.id for rule in book("en").rules() if edition in rule.editions and rule.id in named}
    silent = {"ACT-9", "END-2", "OPEN-2", "OPEN-6", "OPEN-6b", "UNO-7"}  # told by another rule's line, or not at all
    assert in_book - silent <= told


# ---------------------------------------------------------------- tone
def test_argentina_says_vos() -> None:
    tu = re.compile(r"\b(tú|ti|puedes|tienes|juega una|elige un|elige el color con|di uno|vuelves|quedas|o toma)\b")
    assert {line: tu.findall(text.lower()) for line, text in texts("es-AR").items() if tu.search(text.lower())} == {}
