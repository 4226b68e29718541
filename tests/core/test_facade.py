"""The facade: events as JSON, refusals as values, rounds, copies, whom to ask next."""

from __future__ import annotations

import json
from random import Random

import pytest

from flipdeck import Card, Color, Event, Match, Seat, Side, What
from flipdeck.core.errors import BadNotation, BadRequest, GameOver, IllegalMove, NotYourTurn
from flipdeck.core.notation import Draw, Keep, Move, Play
from flipdeck.core.record import parse
from flipdeck.core.rules.legal import has_a_say, legal_moves, let_go, speaker
from tests.random_matches import play_round, random_table, say_something
from tests.tables import table


def test_an_event_tells_in_json_what_there_is_to_tell() -> None:
    scored = Event(What.SCORED, Side.DARK, points=(0, 5), scores=(7, 5), winners=(Seat(1),))
    assert scored.to_dict() == {
        "event": "scored", "side": "dark", "points": [0, 5], "scores": [7, 5], "winners": [1]
    }  # fmt: skip
    called = Event(What.CALLED_COLOR, Side.LIGHT, Seat(0), color=Color.RED)
    assert called.to_dict() == {"event": "called_color", "side": "light", "seat": 0, "color": "R"}
    dealt = Event(What.DEALT, Side.LIGHT, Seat(2), cards=(Card.parse("R7/O1"), Card.parse("?/VE")))
    assert dealt.to_dict() == {"event": "dealt", "side": "light", "seat": 2, "cards": ["R7/O1", "?/VE"]}


def test_a_refusal_is_a_value_too() -> None:
    match = Match(players=2, seed="why not")
    to_act = match.to_act or Seat(0)
    before = match.record()
    assert match.why_not(to_act, "draw") is None
    assert isinstance(match.why_not(1 - to_act, "draw"), NotYourTurn)
    assert isinstance(match.why_not(to_act, Move.parse("keep")), IllegalMove)
    assert isinstance(match.why_not(to_act, "dance"), BadNotation)
    assert isinstance(match.why_not(7, "draw"), BadRequest)
    assert match.record() == before


def test_a_match_said_again_by_numbers_is_the_same_match() -> None:
    match, again = (Match(players=3, seed="again", options={"target": 100}) for _ in range(2))
    for turn in range(400):
        if match.round.over:
            break
        seat = match.to_act or Seat(0)
        move = match.legal(seat)[turn % len(match.legal(seat))]
        number = match.number_of(seat, str(move) if turn % 2 else move)
        assert number is not None
        assert match.say(seat, move) == tuple(again.say_again(seat, str(move), number))
        assert [match.view(each) for each in (0, 1, 2, None)] == [again.view(each) for each in (0, 1, 2, None)]
    assert match.record() == again.record()


def test_a_number_that_means_another_move_is_not_believed() -> None:
    match = Match(players=2, seed="numbers")
    seat = match.to_act or Seat(0)
    draw = match.number_of(seat, "draw")
    assert draw is not None
    assert match.number_of(seat, "keep") is None
    with pytest.raises(IllegalMove):
        match.say_again(seat, "keep", draw)
    assert any(event.what is What.DREW for event in match.say_again(seat, "draw", draw))


def test_a_view_written_straight_from_the_game_says_what_the_view_says() -> None:
    for seed in range(60):
        dice = Random(seed)
        match = random_table(dice).match()
        for _ in range(dice.randrange(60)):
            if match.round.over:
                break
            say_something(match, dice)
        for seat in (*range(match.players), None):
            view = match.view(seat)
            assert match.view_text(seat) == json.dumps(view.to_dict(), separators=(",", ":"))


def test_who_can_be_caught_is_known_until_the_round_is_over() -> None:
    match = table(hands=["R7 R8", "R1 Y2"], top="R5")
    assert not match.catchable
    match.say(0, next(move for move in match.legal(0) if not str(move).endswith("!")))
    assert list(match.catchable) == [0]
    over = table(hands=["R7", "R8"], top="R5")
    over.say(0, over.legal(0)[0])
    assert not over.catchable


def test_a_round_knows_how_it_stands() -> None:
    match = table(hands=["R7", "R8"], top="R5", scoring="points")
    assert (match.round.number, match.round.over, match.round.winner, match.round.void) == (1, False, None, False)
    match.say(0, match.legal(0)[0])
    assert (match.round.over, match.round.winner, match.round.void) == (True, 0, False)
    assert match.round.points == (8, 0)
    assert match.view(None).players == 2
    with pytest.raises(GameOver, match="deal the next one"):
        match.say(1, "draw")


def test_the_next_round_waits_for_the_end_of_this_one() -> None:
    with pytest.raises(BadRequest, match="not over"):
        Match(players=2, seed="early").next_round()


def test_what_can_be_answered_and_what_cannot() -> None:
    match = table(hands=["R+1 B1", "Y2 Y3"], top="R5", stacking=True)
    match.say(0, next(move for move in match.legal(0) if str(move).startswith("R+1") and str(move).endswith("!")))
    refusal = match.why_not(1, "challenge")
    assert refusal is not None
    assert refusal.reason == "no-challenge"
    assert match.why_not(1, "accept") is None
    refusal = match.why_not(1, "color R")
    assert refusal is not None
    assert refusal.reason == "nothing-to-call"


def test_a_void_round_is_written_in_the_record_and_read_back() -> None:
    match = Match(players=2, seed="void", dealer=0, options={"most_moves": 2})
    match.say(match.to_act or 0, "draw")
    match.say(match.to_act or 0, "keep")
    assert match.round.void
    assert "\nvoid\n" in match.record()
    assert parse(match.record()).round.void


def test_a_copy_of_a_game_goes_its_own_way() -> None:
    match = Match(players=3, seed="copy")
    twin = match._game.copy()
    assert twin == match._game
    match.say(match.to_act or 0, "draw")
    assert twin != match._game
    assert twin.stock_size == match._game.stock_size + 1


def test_what_is_said_in_the_twin_of_a_match_is_not_said_in_the_match() -> None:
    match, dice = Match(players=3, seed="twin", options={"target": 1, "hand_size": 2}), Random(1)
    while not match.over:
        twin, before = match.twin(), (match.record(), match.secret_state())
        assert (twin.record(), twin.secret_state()) == before
        seat = match.to_act or Seat(0)
        moves = match.legal(seat)
        move = dice.choice([move for move in moves if isinstance(move, Play)] or moves)  # or it would take for ever
        assert twin.say(seat, move)
        assert (match.record(), match.secret_state()) == before
        match.say(seat, move)
        assert (twin.record(), twin.secret_state()) == (match.record(), match.secret_state())
        assert [twin.view(each) for each in (0, 1, 2, None)] == [match.view(each) for each in (0, 1, 2, None)]


def test_no_match_ends_unless_whoever_spoke_had_one_card() -> None:
    dice = Random(2)
    ended = surprises = moves = 0
    for _ in range(60):
        match = random_table(dice).match()
        for _ in range(400):
            if match.round.over:
                break
            could = match.may_end, [match.may_end_with(seat) for seat in range(match.players)]
            seat, _ = say_something(match, dice, eager=True)
            moves += not could[0]
            surprises += match.over and not (could[0] and could[1][seat])
        ended += match.over
    assert surprises == 0
    assert ended > 10
    assert moves > 1000, "most moves can't be the last"


def test_who_may_interrupt_is_asked_before_the_player_on_turn_and_once() -> None:
    match = table(hands=["R7 R1", "B7 B1", "R7 G1"], top="R5", jump_in=True)
    g = match._game
    assert speaker(g) == 0
    match.say(0, next(move for move in match.legal(0) if str(move).startswith("R7")))
    asked = []
    while speaker(g) != match.to_act:
        asked.append(speaker(g))
        let_go(g, speaker(g))
    assert asked == [2, 0]  # seat 2 may catch and jump in, seat 0 may say UNO late
    match.say(0, "uno")
    assert speaker(g) == 2  # whoever let the last moment go may speak again after a move


def test_where_nobody_can_interrupt_the_player_on_turn_is_asked() -> None:
    match = Match(players=3, seed="quiet")
    assert speaker(match._game) == match.to_act


def test_moves_of_one_word_are_equal_to_their_kind_alone_and_show_as_code() -> None:
    assert Move.parse("draw") == Draw() != Keep()
    assert [repr(Move.parse(word)) for word in ("draw", "keep", "accept", "challenge", "uno")] == [
        "Draw()", "Keep()", "Accept()", "Challenge()", "SayUno()"
    ]  # fmt: skip
    assert len({Draw(), Draw(), Keep()}) == 2


def test_when_a_round_is_over_nobody_has_a_move_in_the_rules_either() -> None:
    match = Match("classic", 3, seed="over")
    play_round(match, Random(1))
    moves = [0] * 1000
    assert [legal_moves(match._game, seat, moves) for seat in range(3)] == [0, 0, 0]
    assert not any(has_a_say(match._game, seat) for seat in range(3))
