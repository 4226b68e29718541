"""How things print in a notebook or a log: short, and a match gives nothing away."""

from __future__ import annotations

from random import Random

from flipdeck import Match, Move
from tests.random_matches import finished, play_round


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


def test_a_round_that_is_over_says_so() -> None:
    match = Match(players=3, seed="one round", options={"target": 1_000_000})
    play_round(match, Random("one round"))
    assert repr(match).endswith(", round over>")
