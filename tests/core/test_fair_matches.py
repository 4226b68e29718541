"""What the check in the browser is tried on is what these rules deal."""

from __future__ import annotations

import json
from dataclasses import fields

from flipdeck.core.options import Options
from tests.core.fair_matches import FILE, MATCHES, fair_matches

# They decide what may be said or what it costs, not which card goes where; or an edition among the matches has them.
NOT_TRIED = {
    "bluffing", "catch_window", "false_catch_penalty", "first_dealer", "forced_play", "late_uno",
    "opening_actions", "reveal_draw_color", "scoring", "two_player_reverse", "wild_after_flip_to_dark",
    "wild_after_flip_to_light", "wilds_match_in_challenge",
}  # fmt: skip


def test_the_matches_that_the_browser_must_find_fair_are_those_that_the_rules_deal() -> None:
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    assert kept == fair_matches(), "run python -m tests.core.fair_matches"


def test_a_new_option_is_tried_in_the_browser_or_known_to_move_no_card() -> None:
    tried = {name for _, _, _, options, _ in MATCHES for name in options}
    assert tried.isdisjoint(NOT_TRIED)
    assert tried | NOT_TRIED == {option.name for option in fields(Options)}
