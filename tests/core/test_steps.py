"""A match played again, move by move."""

from __future__ import annotations

from random import Random

import pytest

from flipdeck import Refusal
from tests.random_matches import finished, play_round
from tests.tables import table


def test_the_steps_of_a_match_show_what_every_seat_saw_when_it_decided() -> None:
    match = finished(target=500)
    assert match.round.number > 1
    steps = 0
    for step in match.steps():
        assert step.move in step.match.legal(step.seat)
        assert step.match.view(step.seat).legal == tuple(step.match.legal(step.seat))
        after = step.match.twin()
        assert after.say(step.seat, step.move) == step.events
        steps += 1
    assert steps == sum(len(played.said) for played in match.history)
    assert after.record() == match.record()


def test_an_archived_match_has_the_same_steps() -> None:
    match = finished()
    kept = [(step.seat, step.move, step.events) for step in match.steps()]
    match.archive()
    assert [(step.seat, step.move, step.events) for step in match.steps()] == kept


def test_a_match_that_forgot_its_beginning_has_no_steps() -> None:
    match = finished()
    match.forget()
    with pytest.raises(Refusal):
        next(match.steps())


def test_a_laid_deck_is_played_again_as_it_was_laid() -> None:
    match = table(["R1 B2", "G3 Y4"], top="R5")
    play_round(match, Random("laid"))
    steps = list(match.steps())
    assert [step.seat for step in steps] == [said.seat for said in match.history[0].said]
