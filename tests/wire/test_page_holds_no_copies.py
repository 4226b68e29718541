"""The page holds no rules and no copies: what it knows of the rules and the server is generated into ``wire.ts``.

Each pattern finds one kind of copy; the lines beside it are such copies, so that a pattern that finds nothing fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from flipdeck.core import editions
from flipdeck.core.cards import Side
from flipdeck.core.options import Options
from flipdeck.core.record import FIRST_LINE
from flipdeck.wire.__main__ import ROOT
from flipdeck.wire.connection import CLOSE_CODES, POLICY
from flipdeck.wire.facts import facts
from flipdeck.wire.parts import BotLevel

PAGE = ROOT / "web" / "src"
FACTS = {fact.name: fact.value for fact in facts()}
QUOTE = "[\"'`]"


def any_of(texts: Iterator[str] | list[str] | tuple[str, ...]) -> str:
    return "|".join(re.escape(text) for text in texts)


EDITION = any_of(editions.NAMES)
# names of one word mean other things too: a chart has a target
OPTION = any_of([spec.name for spec in fields(Options) if "_" in spec.name])
LISTS = [list(get_args(BotLevel)), *([c.value for c in side.colors] for side in Side)]
# 4000 is many a number of milliseconds; it is looked for where connections are
NUMBERS = any_of([str(number) for number in (POLICY, *CLOSE_CODES.values())])
AWAY_FROM_THE_NET = any_of([str(number) for number in (POLICY, *CLOSE_CODES.values()) if number != 4000])
OF_THE_SHUFFLE = ("RECORD_FIRST_LINE", "COMMITMENT_PREFIX", "VALUES_PREFIX")

COPIES: dict[str, tuple[str, list[str]]] = {
    "an edition by name": (
        rf"{QUOTE}({EDITION}){QUOTE}|^\s*({EDITION}):",
        ['return set === undefined ? edition === "mild-wild" : set;', "  splash: { deck: 108 },", "case 'argentina':"],
    ),
    "a value of an option": (
        rf"\b({OPTION}): ({QUOTE}|\d|true|false)",
        ['const COMMON = { first_dealer: "highest_card" };', "{ hand_size: 7 }"],
    ),
    "what a symbol makes somebody draw": (
        rf"{QUOTE}({any_of(list(FACTS['DRAWS']))}){QUOTE}: \d",
        ['const DRAWS: Record<string, number> = { "+1": 1, "+5": 5, "W+2": 2 };'],
    ),
    "the moves out of turn": (
        rf"move === {QUOTE}uno{QUOTE}|\(uno\$?\|",
        ['move === "uno" || move.startsWith("catch ")', "const OUT_OF_TURN = /^(uno$|catch )/;"],
    ),
    "a list of levels or colors": (
        "|".join(rf"{QUOTE}, {QUOTE}".join(map(re.escape, each[:3])) for each in LISTS),
        ['const LEVELS: BotLevel[] = ["rookie", "casual", "regular"];', '["R", "Y", "G", "B"] as const'],
    ),
    "a close code": (
        rf"\b({AWAY_FROM_THE_NET})\b",
        ["const NO_WAY_BACK = new Set([1008, 1009]);", "if (code === 4001) return;"],
    ),
    "a constant of the shuffle": (
        rf"{QUOTE}({any_of([FACTS[name].strip() for name in OF_THE_SHUFFLE])})",
        [f'const FIRST = "{FIRST_LINE}";', 'utf8ToBytes("flipdeck commitment\\n")', "`flipdeck seed of values\\n`"],
    ),
}
# what is not a copy: a card for each edition to be known by, typed so that every edition must have one
ALLOWED = {("an edition by name", "screens/new/EditionPicker.svelte")}


def sources() -> list[Path]:
    found = [path for path in PAGE.rglob("*") if path.suffix in {".ts", ".svelte"}]
    own = [path for path in found if not path.name.endswith((".test.ts", "fixture.ts")) and path.name != "wire.ts"]
    assert len(own) > 100
    return own


@pytest.mark.parametrize("kind", COPIES)
def test_the_page_has_no_copy_of(kind: str) -> None:
    pattern = re.compile(COPIES[kind][0], re.MULTILINE)
    for path in sources():
        name = path.relative_to(PAGE).as_posix()
        if (kind, name) not in ALLOWED:
            found = pattern.search(path.read_text(encoding="utf-8"))
            assert not found, f"{name} has {kind}, {found[0]!r}: take it from wire.ts"


@pytest.mark.parametrize("kind", COPIES)
def test_a_copy_would_be_found(kind: str) -> None:
    pattern, examples = COPIES[kind]
    for example in examples:
        assert re.search(pattern, example, re.MULTILINE), example


def test_no_close_code_is_written_where_connections_are() -> None:
    for path in (PAGE / "net").glob("*.ts"):
        if not path.name.endswith(".test.ts"):
            assert not re.search(rf"\b({NUMBERS})\b", path.read_text(encoding="utf-8")), path.name


def test_what_is_allowed_is_still_there() -> None:
    for kind, name in ALLOWED:
        assert re.search(COPIES[kind][0], (PAGE / name).read_text(encoding="utf-8"), re.MULTILINE)
    assert "Record<Edition," in (PAGE / "screens/new/EditionPicker.svelte").read_text(encoding="utf-8")
