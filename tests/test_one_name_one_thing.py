"""One name means one thing: a class or type is defined once in the package and its tests, and once in the page."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
TYPESCRIPT = re.compile(
    r"^\s*(?:export\s+)?(?:abstract\s+)?(?:(?:class|interface|enum)\s+([A-Z]\w*)|type\s+([A-Z]\w*)(?:<.*>)?\s*=)",
    re.MULTILINE,
)
# name: why several modules define it
ALLOWED = {
    "Match": "the library's is core's, and draws a seed where none is given",
    "Props": "what Svelte calls the properties of a component",
}


def python_names(code: str) -> Iterator[str]:
    """Public classes and type aliases of a module: what is written in CamelCase and bound at its top level."""
    for node in ast.parse(code).body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def typescript_names(code: str) -> list[str]:
    """Classes, interfaces, type aliases and enums, exported or not."""
    return [declared or alias for declared, alias in TYPESCRIPT.findall(code)]


def is_type(name: str) -> bool:
    return name[0].isupper() and any(letter.islower() for letter in name)


def homes(files: Iterable[Path], names_in: Callable[[str], Iterable[str]]) -> dict[str, list[str]]:
    found = defaultdict(list)
    for path in sorted(files):
        for name in set(names_in(path.read_text(encoding="utf-8"))):
            if is_type(name):
                found[name].append(str(path.relative_to(ROOT)))
    return found


def of_python() -> dict[str, list[str]]:
    return homes([*ROOT.glob("src/flipdeck/**/*.py"), *ROOT.glob("tests/**/*.py")], python_names)


def of_page() -> dict[str, list[str]]:
    return homes([*ROOT.glob("web/src/**/*.ts"), *ROOT.glob("web/src/**/*.svelte")], typescript_names)


def doubled(found: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: modules for name, modules in found.items() if len(modules) > 1 and name not in ALLOWED}


def test_every_class_and_type_alias_is_defined_once() -> None:
    assert not doubled(of_python())


def test_every_type_of_the_page_is_defined_once() -> None:
    assert not doubled(of_page())


def test_what_is_allowed_to_be_doubled_is() -> None:
    found = of_page() | {"Match": of_python()["Match"]}
    assert [name for name in ALLOWED if len(found[name]) < 2] == []


def test_classes_and_aliases_are_found_and_nothing_else_is() -> None:
    code = "class A1b: pass\nAlias = int | str\nOther: type = int\nLIMIT = 3\n_Own = int\ndef Make(): pass\nT = 1\n"
    assert [name for name in python_names(code) if is_type(name)] == ["A1b", "Alias", "Other"]
    assert {"Match", "Setting", "Experiment", "SeatClient"} <= set(of_python())


def test_types_of_the_page_are_found_and_nothing_else_is() -> None:
    code = """
export class Room {}
  interface Shown { a: number }
export type Speed = "slow";
const Found = 1;
import { other, type Place } from "./x";
import {
  type Held,
} from "./y";
"""
    assert typescript_names(code) == ["Room", "Shown", "Speed"]
    assert {"Room", "FakeSocket", "TableInfo"} <= set(of_page())


def test_a_name_that_is_given_twice_is_found() -> None:
    assert doubled({"Place": ["a.ts", "b.ts"], "Props": ["a.svelte", "b.svelte"], "Room": ["c.ts"]}) == {
        "Place": ["a.ts", "b.ts"]
    }
