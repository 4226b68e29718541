"""The simple bot: always legal, decent, and human enough to forget."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from flipdeck.bots import Bot
from flipdeck.bots.simple import SimpleBot
from flipdeck.core.cards import Card, Seat
from flipdeck.core.match import Match
from flipdeck.core.notation import Catch, Challenge, Draw, Move, Play, SayUno
from flipdeck.core.view import View
from tests.random_matches import Table, random_table
from tests.tables import table

BOT: Bot = SimpleBot()


def one_move(match: Match, dice: random.Random) -> tuple[View, Move]:
    """Everybody is asked, the player on turn last; the view and the move of the first who speaks."""
    assert match.to_act is not None
    others = [Seat(seat) for seat in range(match.players) if seat != match.to_act]
    dice.shuffle(others)
    for seat in (*others, match.to_act):
        view = match.view(seat)
        move = BOT.choose(view, dice)
        if move is not None:
            return view, move
    raise AssertionError("the player on turn lets the moment go")


def moves_of_a_round(match: Match, dice: random.Random) -> list[tuple[View, Move]]:
    moves = []
    while not match.round.over:
        view, move = one_move(match, dice)
        assert view.you is not None
        match.say(view.you, move)  # a Refusal here is an illegal move
        moves.append((view, move))
        assert len(moves) < 5000, "the round does not end"
    return moves


def some_rounds(number: int, seed: int, **options: object) -> list[tuple[View, Move]]:
    dice = random.Random(seed)
    moves = []
    for _ in range(number):
        moves += moves_of_a_round(random_table(dice, **options).match(), dice)
    return moves


def chosen(match: Match, times: int = 200) -> Counter[str]:
    """What the player on turn chooses, with many dice."""
    assert match.to_act is not None
    view = match.view(match.to_act)
    return Counter(str(BOT.choose(view, random.Random(number))) for number in range(times))


def test_it_plays_legally_at_every_table() -> None:
    assert len(some_rounds(60, seed=1)) > 2000


@pytest.mark.parametrize("edition", ["classic", "splash", "argentina", "mild-wild"])
@pytest.mark.parametrize("players", [2, 10])
def test_it_finishes_whole_matches_of_every_edition(edition: str, players: int) -> None:
    match, dice = Table(edition, players, {"target": 200}, "whole").match(), random.Random(2)
    while not match.over:
        if match.round.over:
            match.next_round()
        moves_of_a_round(match, dice)
    assert match.winners


def test_the_same_view_and_the_same_dice_give_the_same_answer() -> None:
    for number, (view, _) in enumerate(some_rounds(15, seed=3)):
        first, second = (BOT.choose(seen, random.Random(number)) for seen in (view, replace(view)))
        assert first == second


def test_it_needs_nothing_but_a_view() -> None:
    views = [view for view, _ in some_rounds(5, seed=4)]  # their matches are gone
    for view in views:
        move = BOT.choose(view, random.Random(0))
        assert move in view.legal or (move is None and view.to_act != view.you)


def test_it_says_uno_five_times_out_of_six() -> None:
    said = chosen(table(["R7 B2", "G5 G6"], top="R5"), times=600)
    assert 0.78 < sum(count for move, count in said.items() if move.endswith("!")) / 600 < 0.89


def test_it_catches_mostly_and_never_in_vain() -> None:
    moves = some_rounds(25, seed=5, false_catch_penalty=2, uno_penalty=2)
    catches = [(view, move) for view, move in moves if isinstance(move, Catch)]
    assert catches
    assert all(move.seat in view.catchable for view, move in catches)
    match = table(["R7 B2", "G5 G6"], top="R5")
    match.say(0, str(match.view(0).hand[0]))
    assert 0.6 < chosen(match, times=400)["catch 0"] / 400 < 0.8


def test_it_may_say_uno_late() -> None:
    moves = some_rounds(25, seed=6, late_uno=True)
    assert any(isinstance(move, SayUno) for _, move in moves)


def test_it_calls_the_color_that_it_holds_most_of() -> None:
    wilds = 0
    for view, move in some_rounds(30, seed=7):
        if isinstance(move, Play) and move.color:
            rest = list(view.hand)
            rest.remove(move.card)
            held = Counter(face.color for card in rest if (face := card.face(view.side)))
            assert held[move.color] == max(held[color] for color in view.side.colors)
            wilds += 1
    assert wilds > 20


def test_it_plays_the_color_that_it_holds_most_of() -> None:
    assert all(move.startswith("R") for move in chosen(table(["R5 B5 R2 R3 G9", "G1 G2"], top="R8")))


def test_it_saves_its_wilds() -> None:
    played = chosen(table(["R2 W G9 G8", "G1 G2 G3 G4"], top="R5"))
    assert all(move.startswith("R2") for move in played)


def test_it_seldom_bluffs_and_seldom_doubts() -> None:
    bluffed = chosen(table(["W+2 R2 G9 G8", "G1 G2 G3 G4"], top="R5"))
    assert all(move.startswith("R2") for move in bluffed), "an honest card is better"
    match = table(["W+2 G7 G9 G8", "G1 G2 G3 G4"], top="R5")
    match.say(0, f"{match.view(0).hand[0]}=G")
    doubted = chosen(match, times=400)
    assert 0.05 < doubted[str(Challenge())] / 400 < 0.25


@pytest.mark.parametrize(("backs", "flips"), [("T1 T2 T3", True), ("W W+C OE", False)])
def test_it_flips_when_its_backs_are_lighter(backs: str, flips: bool) -> None:
    first, second, third = backs.split()
    hand = f"RF/P1 R9/{first} R8/{second} R7/{third}"
    match = table([hand, "G1 G2 G3 G4"], top="R5")
    assert all((move.startswith("RF")) is flips for move in chosen(match))


def test_it_does_not_peek_at_its_backs_where_they_are_hidden() -> None:
    match = table(["RF/P1 R9/W R8/W+C", "G1 G2 G3"], top="R5", own_backs="hidden")
    view = match.view(0)
    assert all(card.dark is None for card in view.hand)
    assert BOT.choose(view, random.Random(1)) in view.legal


def test_it_draws_when_it_has_nothing_to_play() -> None:
    assert chosen(table(["G2 G3", "B1 B2"], top="R5")).keys() == {str(Draw())}


def test_it_beats_a_player_who_plays_at_random() -> None:
    dice, won = random.Random(8), 0
    for number in range(60):
        match = Match("mild-wild", 2, seed=f"{number}", options={"scoring": "quick"})
        while not match.over:
            seat = match.to_act
            if seat is None:  # a void round
                match.next_round()
                continue
            move = BOT.choose(match.view(0), dice) if seat == 0 else dice.choice(match.legal(1))
            assert move is not None
            match.say(seat, move)
        won += match.winners == (0,)
    assert won > 39


def test_a_hand_that_does_not_show_the_side_in_play_is_no_hand() -> None:
    view = table(["G2 R3", "B1 B2"], top="R5").view(0)
    with pytest.raises(ValueError, match="does not show"):
        BOT.choose(replace(view, hand=(Card(None, None), *view.hand)), random.Random(1))
