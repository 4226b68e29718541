"""Every rule of the rule book has a test in every edition, and this fails when one has not."""

from __future__ import annotations

from dataclasses import fields
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

import pytest

from flipdeck import Options
from flipdeck.i18n.rulebook import rule_ids
from tests.core import rules
from tests.proofs import EDITIONS, proofs_in, rule, unproved


def modules() -> list[ModuleType]:
    return [import_module(f"{rules.__name__}.{found.name}") for found in iter_modules(rules.__path__)]


def test_every_rule_has_a_test_in_every_edition() -> None:
    assert unproved(rule_ids(), proofs_in(modules())) == []


def test_every_option_has_a_test_in_every_edition() -> None:
    assert unproved([option.name for option in fields(Options)], proofs_in(modules())) == []


def test_no_test_names_a_rule_that_does_not_exist() -> None:
    assert {id_ for id_, _ in proofs_in(modules())} - set(rule_ids()) == set()


# ---------------------------------------------------------------- the check itself
def test_a_rule_without_a_test_is_found() -> None:
    lines = unproved([*rule_ids(), "JOKE-1"], proofs_in(modules()))
    assert lines == [f"JOKE-1 has no test in {', '.join(EDITIONS)}"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_rule_without_a_test_in_one_edition_is_found(edition: str) -> None:
    without = proofs_in(modules()) - {("FLIP-4", edition)}
    assert unproved(rule_ids(), without) == [f"FLIP-4 has no test in {edition}"]


def test_a_module_of_tests_that_is_taken_away_is_missed() -> None:
    others = [module for module in modules() if not module.__name__.endswith("test_flip")]
    missed = {line.split()[0] for line in unproved(rule_ids(), proofs_in(others))}
    assert missed >= {"FLIP-2", "FLIP-3", "FLIP-4"}


def test_only_tests_that_run_are_proofs() -> None:
    @rule("JOKE-1", edition="splash")
    def proof(edition: str) -> None:
        assert edition

    made_up = ModuleType("made_up")
    vars(made_up)["test_that_runs"] = proof
    assert proofs_in([made_up]) == {("JOKE-1", "splash")}
    vars(made_up)["test_that_runs"] = pytest.mark.skip(proof)
    assert proofs_in([made_up]) == set()
    vars(made_up).clear()
    vars(made_up)["not_a_test"] = proof
    assert proofs_in([made_up]) == set()


def test_a_proof_must_take_the_edition_that_it_proves() -> None:
    def proof() -> None: ...

    with pytest.raises(TypeError, match="it must take the edition and play it"):
        rule("JOKE-1")(proof)


def test_a_proof_must_name_editions_that_exist() -> None:
    with pytest.raises(ValueError, match="a proof names rules and editions"):
        rule("JOKE-1", edition="pocket")
