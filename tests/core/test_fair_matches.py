"""What the check in the browser is tried on is what these rules deal."""

from __future__ import annotations

import json

from tests.core.fair_matches import FILE, fair_matches


def test_the_matches_that_the_browser_must_find_fair_are_those_that_the_rules_deal() -> None:
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    assert kept == fair_matches(), "run python -m tests.core.fair_matches"
