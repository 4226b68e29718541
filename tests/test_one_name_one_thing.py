"""One name means one thing: no public class or type alias is defined in two modules of the package."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src/flipdeck"
# name: why several modules define it
ALLOWED: dict[str, str] = {}


def names_in(code: str) -> Iterator[str]:
    """Public classes and type aliases of a module: what is written in CamelCase and bound at its top level."""
    for node in ast.parse(code).body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def is_type(name: str) -> bool:
    return name[0].isupper() and any(letter.islower() for letter in name)


def homes() -> dict[str, list[str]]:
    found = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        for name in set(names_in(path.read_text(encoding="utf-8"))):
            if is_type(name):
                found[name].append(str(path.relative_to(SOURCE)))
    return found


def test_every_class_and_type_alias_is_defined_once() -> None:
    doubled = {name: modules for name, modules in homes().items() if len(modules) > 1 and name not in ALLOWED}
    assert not doubled


def test_what_is_allowed_to_be_doubled_is() -> None:
    found = homes()
    assert [name for name in ALLOWED if len(found[name]) < 2] == []


def test_classes_and_aliases_are_found_and_nothing_else_is() -> None:
    code = "class A1b: pass\nAlias = int | str\nOther: type = int\nLIMIT = 3\n_Own = int\ndef Make(): pass\nT = 1\n"
    assert [name for name in names_in(code) if is_type(name)] == ["A1b", "Alias", "Other"]
    assert {"Match", "Setting", "Experiment"} <= set(homes())
