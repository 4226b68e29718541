"""The library as a stranger meets it: what the top of the package offers, how it prints, matches played again."""

from __future__ import annotations

import pytest

import flipdeck
from flipdeck import Bot, Match, Options, Refusal
from flipdeck.bots.registry import bot_named
from flipdeck.core import editions
from tests.random_matches import finished


def test_a_match_without_a_seed_draws_one_of_its_own() -> None:
    first, second = Match(players=3), Match(players=3)
    assert first.secret != second.secret
    assert len(first.secret) == 32
    again = Match(players=3, seed=first.secret)
    assert again.record() == first.record()


def test_options_are_given_whole_or_by_name() -> None:
    whole = Options(stacking=True, target=200)
    by_name = Match(players=3, seed="a", options={"stacking": True, "target": 200})
    assert Match(edition="classic", players=3, seed="a", options=whole).record() == by_name.record()
    assert by_name.options == whole


def test_whole_options_stand_for_those_of_the_edition_too() -> None:
    for edition in editions.NAMES:
        match = Match(edition=edition, players=4, seed="b", options=Options())
        assert match.options == Options()
        assert Match.from_record(match.record()).options == Options()


@pytest.mark.parametrize("options", [7, ["stacking"], "stacking"])
def test_options_that_are_neither_are_refused(options: object) -> None:
    with pytest.raises(Refusal):
        Match(players=3, seed="a", options=options)  # type: ignore[arg-type]


def test_a_match_comes_back_from_its_record() -> None:
    match = finished()
    again = Match.from_record(match.record())
    assert type(again) is Match
    assert again.record() == match.record()
    assert again.winners == match.winners


def test_a_bot_is_a_bot_for_the_type_checker_and_at_run_time() -> None:
    bot: Bot = bot_named("regular")
    assert bot.name == "regular"
    assert flipdeck.Bot is Bot


def test_every_public_name_has_a_docstring_that_somebody_wrote() -> None:
    names = [name for name in flipdeck.__all__ if name != "__version__"]
    written = {name: getattr(flipdeck, name).__doc__ or "" for name in names}
    # dataclasses, named tuples and new types bring one of their own
    assert [name for name, doc in written.items() if not doc or doc.startswith((f"{name}(", "NewType"))] == []
