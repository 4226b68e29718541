"""The library as a stranger meets it: what the top of the package offers, how it prints, matches played again."""

from __future__ import annotations

import pytest

import flipdeck
from flipdeck import Bot, Match, Move, Options, Refusal
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


def test_what_people_look_at_says_what_it_is() -> None:
    match = Match(players=3, seed="abc")
    assert repr(match).startswith("<Match: classic, 3 players, round 1, light side, scores 0-0-0, seat ")
    seat = match.to_act
    assert seat is not None
    view = match.view(seat)
    assert repr(view).startswith(f"<View of seat {seat}: light side, top {view.top}, seat {seat} to act (turn), hand ")
    assert repr(match.view(None)).startswith("<View of a spectator: ")
    assert repr(view.hand[0]) == f"<Card {view.hand[0]}>"
    assert repr(view.top) == f"<Face {view.top}>"
    moves = [Move.parse(text) for text in ("R7/O1!", "color G", "catch 2", "draw")]
    assert repr(moves) == "[<Play R7/O1!>, <CallColor color G>, <Catch catch 2>, Draw()]"
    step = next(finished().steps())
    assert repr(step) == f"<Step: seat {step.seat} says {step.move}>"
    event = finished().history[-1].said[-1].events[-1]
    assert repr(event).startswith("<Event won: ")


def test_how_a_match_prints_gives_no_card_and_no_seed_away() -> None:
    match = Match(players=3, seed="abc")
    shown = repr(match)
    assert match.seed.hex() not in shown
    hidden = [card for seat in range(3) for card in match.view(seat).hand]
    assert not any(str(card) in shown for card in hidden)
    over = finished()
    assert repr(over).endswith(f"won by seat {over.winners[0]}>")


def test_a_bot_is_a_bot_for_the_type_checker_and_at_run_time() -> None:
    bot: Bot = bot_named("regular")
    assert bot.name == "regular"
    assert flipdeck.Bot is Bot


def test_every_public_name_has_a_docstring_that_somebody_wrote() -> None:
    names = [name for name in flipdeck.__all__ if name != "__version__"]
    written = {name: getattr(flipdeck, name).__doc__ or "" for name in names}
    # dataclasses, named tuples and new types bring one of their own
    assert [name for name, doc in written.items() if not doc or doc.startswith((f"{name}(", "NewType"))] == []
