"""``belief.knowledge`` is the only module that changes what a seat knows."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import flipdeck.bots.belief

BELIEF = Path(flipdeck.bots.belief.__file__).parent
OWNER = "knowledge.py"
KNOWLEDGE = {"knowledge", "memory", "g"}  # how the others call it, and its game


def roots(target: ast.expr) -> Iterator[str]:
    """The names whose attributes or items are assigned to."""
    if isinstance(target, ast.Tuple):
        for part in target.elts:
            yield from roots(part)
    elif isinstance(target, ast.Attribute | ast.Subscript):
        inner = target.value
        while isinstance(inner, ast.Attribute | ast.Subscript):
            inner = inner.value
        if isinstance(inner, ast.Name):
            yield inner.id


def writes(source: str) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(source)):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AugAssign | ast.AnnAssign):
            targets = [node.target]
        for target in targets:
            for root in roots(target):
                yield root, target.lineno


def offences(source: str) -> list[int]:
    return [line for root, line in writes(source) if root in KNOWLEDGE]


def test_no_other_module_assigns_to_what_a_seat_knows() -> None:
    found = {
        path.name: lines
        for path in sorted(BELIEF.glob("*.py"))
        if path.name != OWNER and (lines := offences(path.read_text()))
    }
    assert found == {}


def test_memory_keeps_one_field_of_its_own() -> None:
    own = {
        ast.unparse(target)
        for node in ast.walk(ast.parse((BELIEF / "memory.py").read_text()))
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Attribute)
    }
    assert own == {"self._round"}


def test_a_module_that_writes_is_found() -> None:
    assert offences("def f(knowledge):\n    g = knowledge.game\n    g.side, x = 1, 2\n") == [3]
    assert offences("def f(knowledge):\n    knowledge.bans[3] |= 1\n") == [2]
