"""The tree of a search, interpreted: what it grows by, where it ends, what an end is worth to whom."""

from __future__ import annotations

import numpy as np
import pytest

from flipdeck.bots.net import shipped_net
from flipdeck.bulk.card_counts import EYES, look_around, printed_book, remember_cards
from flipdeck.bulk.evaluation import WIN, weigh_moves, worth_of
from flipdeck.bulk.features import FEATURES, LET_GO, sound_moves, write_features
from flipdeck.bulk.ismcts import (
    DEPTH,
    NOBODY,
    ROLLOUT_LIMIT,
    Node,
    Trail,
    backpropagate,
    begin_descent,
    chance_for,
    descend,
    end_rollout,
    follow,
    key_of,
    select_with_prior,
    worth_for,
)
from flipdeck.bulk.learning import LONG
from flipdeck.bulk.playing import play_out
from flipdeck.bulk.policies import STEADY
from flipdeck.bulk.searching import Scales, Search, outcome, scales, start_tree
from flipdeck.bulk.twin import to_record
from flipdeck.core.codes import FLIP, RANK_BITS
from flipdeck.core.match import Match
from flipdeck.core.rules.legal import legal_moves, speaker
from flipdeck.core.rules.moves import KEEP, MAX_MOVES, TAKE, WHAT_BITS
from flipdeck.core.rules.turn import apply
from flipdeck.core.state import DRAWN, OVER, Game
from tests.tables import say, table

pytestmark = pytest.mark.usefixtures("compiled_rules")
MIDDLE = ["R7 B5 Y2 W", "G5 G6 R1 R2"]


@pytest.fixture(scope="module")
def net() -> Scales:
    """Whole numbers are Python's own where functions are interpreted."""
    return scales(shipped_net().weights)._replace(known=[0, 0])


def game_of(match: Match) -> Game:
    return match._game.copy()


def planted(
    seats: int = 0b11, *, price: int = 0, late: int = 0, weighs: int = 1, size: int = 50
) -> tuple[list[Node], Trail]:
    """A tree with one node, which seat 0 is the mover of."""
    return [Node(available=1) for _ in range(size)], Trail(size=2, seats=seats, price=price, late=late, weighs=weighs)


def begin(g: Game, trail: Trail, weighing: Scales) -> None:
    """The way begins at the one node; nobody has made a move."""
    begin_descent(g, trail, 1, speaker(g), LET_GO, weighing)


def moves_in(g: Game, seat: int) -> tuple[list[int], int]:
    out = [0] * MAX_MOVES
    return out, sound_moves(g, seat, out, legal_moves(g, seat, out))


# ---------------------------------------------------------------- weighing
def test_moves_are_weighed_as_the_net_weighs_them_when_it_plays(net: Scales) -> None:
    g = game_of(table(MIDDLE, top="R5"))
    out, n = moves_in(g, 0)
    weigh_moves(g, 0, out, n, Trail(), net)
    eyes, x, rows = [0.0] * EYES, [0.0] * FEATURES, np.zeros((n, FEATURES), np.float32)
    look_around(g, 0, 0, 0, printed_book(), eyes)
    for i in range(n):
        write_features(g, 0, out[i], eyes, x)
        rows[i] = x
    assert n > 4
    assert net.chances[:n] == pytest.approx(shipped_net().chances(rows), abs=1e-5)
    assert np.array_equal(net.worths[:n], net.chances[:n]), "time has no price here"
    assert ((net.ahead[:n] > 1) & (net.ahead[:n] < LONG)).all()


def test_what_everybody_has_seen_of_a_hand_makes_a_difference(net: Scales) -> None:
    """Seat 1 holds nothing that is red or a 7: who knows it plays the 7 more gladly."""
    g = game_of(table(["R7 B5 Y2", "G5 G6 G1"], top="R5"))
    out, n = moves_in(g, 0)
    weigh_moves(g, 0, out, n, Trail(), net)
    guessed = net.chances[:n].copy()
    weigh_moves(g, 0, out, n, Trail(known=[g.sets[2], g.sets[3]]), net)
    assert net.chances[0] > guessed[0]


def test_time_costs_who_wins_and_late_everybody() -> None:
    assert worth_of(0.5, 20, 0, 0) == 0.5
    assert worth_of(1.0, 20, 1000, 0) == pytest.approx(0.98)
    assert worth_of(0.0, 20, 1000, 0) == 0
    assert worth_of(0.0, 20, 0, 1000) == pytest.approx(-0.02)
    assert worth_of(1.0, 10**9, 1000, 0) == pytest.approx(0.5), "a win stays one"
    assert worth_of(0.0, 2000, 0, 1000) == pytest.approx(-2), "and the sooner it is over the better"


def test_a_flip_shows_all_hands_and_what_is_played_is_forgotten() -> None:
    match = table(["RF/P1 R7/P2 R3/P3", "G5/T5 G6/T6 G1/T1"], top="R5/P5", draw="B1/P9 B2/P8")
    known, sides = [0, 0], [match._game.side]
    for move in ("0: RF", "1: draw", "1: keep", "0: P2!"):
        say(match, move)
        remember_cards(match._game, sides[-1], known)
        sides.append(match._game.side)
    held = [match._game.sets[half] | match._game.sets[2 + half] for half in range(2)]
    assert sides[0] != sides[1] == sides[2] == sides[3]
    assert sum(map(int.bit_count, held)) == 5
    assert sum(map(int.bit_count, known)) == 4, "one was played, and one was drawn after the flip"
    assert all(known[half] & held[half] == known[half] for half in range(2))


def test_whoever_tries_a_flip_knows_that_it_shows_all_hands(net: Scales) -> None:
    g = game_of(table(["RF/P1 R7/P2 R3/P3", "G5/T5 G6/T6 G1/T1"], top="R5/P5"))
    out, trail = moves_in(g, 0)[0], Trail()
    flip = next(move for move in out if g.faces[g.side + (move & WHAT_BITS)] & RANK_BITS == FLIP)
    begin_descent(g, trail, 1, 0, flip, net)
    assert trail.known == [g.sets[half] | g.sets[2 + half] for half in range(2)] != [0, 0]


# ---------------------------------------------------------------- choosing
def test_a_move_nobody_has_tried_is_judged_by_its_weight_and_one_that_was_by_what_came_of_it(net: Scales) -> None:
    g = game_of(table(MIDDLE, top="R5"))
    nodes, trail = planted()
    out, n = moves_in(g, 0)
    weigh_moves(g, 0, out, n, trail, net)
    best = int(net.worths[:n].argmax())
    assert select_with_prior(g, 0, out, n, nodes, 1, net.worths) == best
    follow(nodes, trail, 1, 50, key_of(g, 0, out[best]), 0)
    child = nodes[nodes[1].child]
    child.visits, child.wins = 1000, 0
    assert select_with_prior(g, 0, out, n, nodes, 1, net.worths) != best
    child.wins = 1000 * WIN
    assert select_with_prior(g, 0, out, n, nodes, 1, net.worths) == best


# ---------------------------------------------------------------- going down
def test_every_way_down_lets_the_tree_grow_by_one_and_ends_there(net: Scales) -> None:
    match = table(MIDDLE, top="R5")
    nodes, trail = planted(size=100)
    for number in range(30):
        g, size = game_of(match), trail.size
        begin(g, trail, net)
        descend(g, nodes, trail, 100, [0] * MAX_MOVES, number, net)
        backpropagate(g, nodes, trail)
        assert sum(node.visits > 0 for node in nodes[size : trail.size]) == 1 or g.phase == OVER
        assert (trail.judge == NOBODY) == (g.phase == OVER)
    assert nodes[1].visits == 30
    assert sum(node.visits > 1 for node in nodes) > 3, "it comes back to what is good"
    assert trail.length > 2


def test_where_there_is_no_room_it_is_weighed_all_the_same(net: Scales) -> None:
    nodes, trail = planted(size=2)
    g = game_of(table(MIDDLE, top="R5"))
    begin(g, trail, net)
    descend(g, nodes, trail, 2, [0] * MAX_MOVES, 1, net)
    assert (trail.size, trail.length, trail.judge) == (2, 1, 0)
    assert 0 < trail.chance < WIN


def test_a_tree_is_never_deeper_than_a_way_through_it_can_be() -> None:
    nodes, trail = planted(size=DEPTH + 10)
    trail.length = DEPTH
    known = follow(nodes, trail, 1, DEPTH + 10, 7, 0)
    assert (known, trail.length, trail.nodes[DEPTH]) == (0, DEPTH + 1, 2)


def test_without_the_net_it_ends_unjudged() -> None:
    search = Search(2)
    nodes, trail = planted(weighs=search.weighs)
    g = game_of(table(MIDDLE, top="R5"))
    unweighed = search.scales._replace(known=[0, 0])
    begin(g, trail, unweighed)
    descend(g, nodes, trail, 50, [0] * MAX_MOVES, 1, unweighed)
    assert trail.judge == NOBODY
    assert g.phase != OVER
    assert trail.size == 3


def test_those_who_do_not_choose_play_steadily_until_it_is_somebody_who_does(net: Scales) -> None:
    nodes, trail = planted(seats=0b010)
    g = game_of(table(["R7 B5", "R1 R2 G3", "R3 Y4"], top="R5"))
    begin(g, trail, net)
    descend(g, nodes, trail, 50, [0] * MAX_MOVES, 1, net)
    assert trail.judge == 1
    assert trail.decisions > 1


def test_a_draw_for_want_of_anything_else_is_a_draw_to_who_looks_on(net: Scales) -> None:
    """In one world seat 0 can only draw, in another it could play: seat 1 can't tell, and its moves are its own."""
    nodes, trail = planted()
    for number in range(40):
        hand = "G1 G2 Y3" if number % 2 else "R1 G2 Y3"
        g = game_of(table([hand, "B6 R8 Y9"], top="R5", draw="B7 B8 B9"))
        begin(g, trail, net)
        descend(g, nodes, trail, 50, [0] * MAX_MOVES, number, net)
        backpropagate(g, nodes, trail)
    draw = next(node for node in nodes if node.key & WHAT_BITS == TAKE)
    assert draw.visits >= 20, "in every second world there is nothing else"
    assert draw.child
    followers = [node for node in nodes[1 : trail.size] if node.visits and node.key >> 32]
    assert len(followers) > 2
    assert {node.mover for node in followers} == {1}


@pytest.mark.parametrize("weighs", [1, 0])
def test_a_keep_by_force_is_a_keep_to_who_looks_on_and_no_choice_to_who_says_it(net: Scales, weighs: int) -> None:
    """In every second world the drawn card doesn't fit.  What follows is the same to seat 1."""
    nodes, trail, passed = *planted(weighs=weighs, size=400), 0
    for number in range(60):
        g = game_of(table(["G1 G2 Y3", "B6 R8 Y9"], top="R5", draw="B7 R1" if number % 2 else "R1 B7"))
        begin(g, trail, net)
        descend(g, nodes, trail, 400, [0] * MAX_MOVES, number, net)
        backpropagate(g, nodes, trail)
        passed += trail.length > 2 and nodes[trail.nodes[2]].mover == 1
    draw = next(node for node in nodes if node.key & WHAT_BITS == TAKE)
    branches = branches_of(nodes, draw)
    (keep,) = [node for node in branches if node.key & WHAT_BITS == KEEP]
    assert {node.mover for node in branches} == {0}, "seat 1 is asked below the keep, not beside it"
    below = branches_of(nodes, keep)
    assert {node.mover for node in below} == {1}
    assert sum(node.visits for node in below) > keep.visits, "forced keeps go through the branch and are not counted"
    assert passed, "so the path of a forced keep leads from the draw to a move of seat 1"


def branches_of(nodes: list[Node], node: Node) -> list[Node]:
    found, child = [], node.child
    while child:
        found.append(nodes[child])
        child = nodes[child].sibling
    return found


def test_a_keep_by_force_is_no_decision(net: Scales) -> None:
    nodes, trail = planted(seats=0b10)
    g = game_of(table(["G1 G2 Y3", "B6 R8 Y9"], top="R5", draw="B7 B8"))
    begin_descent(g, trail, 1, 0, TAKE, net)
    assert g.phase == DRAWN
    descend(g, nodes, trail, 50, [0] * MAX_MOVES, 1, net)
    assert (trail.decisions, trail.judge) == (1, 1)


@pytest.mark.parametrize("most", [1, 10])
def test_a_rollout_counts_decisions_and_no_forced_keeps(most: int) -> None:
    g = game_of(table(["G1 G2 Y3", "B6 G8 Y9"], top="R5", draw="B7 G3"))
    apply(g, 0, TAKE)
    assert play_out(g, [STEADY, STEADY], [0] * MAX_MOVES, 1, most) == most
    assert g.moves >= most + 2 if most > 1 else g.moves == 3, "the draw before it, and a forced keep"


# ---------------------------------------------------------------- what came of it
def test_what_one_seat_may_win_the_others_share() -> None:
    g = game_of(table(["R7 B5", "R1 R2", "R3 Y4"], top="R5"))
    trail = Trail(judge=1, chance=400_000)
    assert [chance_for(g, trail, seat) for seat in range(3)] == [150_000, 200_000, 150_000], (
        "half of it: nobody has won"
    )
    g.winner = 2
    assert [chance_for(g, trail, seat) for seat in range(3)] == [150_000, 200_000, 650_000]


def test_time_is_what_was_thought_and_what_it_took() -> None:
    weighed, ended = Trail(judge=0, ahead=20), Trail(ahead=20)
    end_rollout(weighed, 40)
    end_rollout(ended, 40)
    assert (weighed.ahead, ended.ahead) == (30, 40)


def test_a_round_that_has_ended_counts_as_it_ended() -> None:
    match = table(["R7 R2", "G5 G6"], top="R5", draw="G9")
    say(match, "0: R7!", "1: draw", "1: keep", "0: R2")
    g = game_of(match)
    assert g.phase == OVER
    assert [chance_for(g, Trail(), seat) for seat in range(2)] == [WIN, 0]
    assert worth_for(g, Trail(price=1000, late=500, decisions=10), 0) == pytest.approx(985_000, abs=1)
    assert worth_for(g, Trail(price=1000, late=500, decisions=10), 1) == pytest.approx(-5_000, abs=1)


# ---------------------------------------------------------------- compiled
def test_compiled_and_interpreted_grow_the_same_tree(net: Scales) -> None:
    match = table(MIDDLE, top="R5")
    search, (nodes, trail) = Search(2, shipped_net().weights), planted(price=1000, late=100)
    start_tree(search.nodes, search.trails, 0, 0b11, 1, 1000, 100, search.weighs)
    move = moves_in(game_of(match), 0)[0][0]
    for number in range(12):
        g = game_of(match)
        begin_descent(g, trail, 1, 0, move, net)
        x = descend(g, nodes, trail, len(nodes), [0] * MAX_MOVES, number, net)
        end_rollout(trail, play_out(g, [STEADY, STEADY], [0] * MAX_MOVES, x, ROLLOUT_LIMIT))
        backpropagate(g, nodes, trail)
        to_record(match._game, search.scratch[0])
        place = search.scratch[0], search.nodes, search.trails, 1, 0, move, search.policies, search.out
        worth = outcome(*place, number, search.scales)
        assert worth == pytest.approx(worth_for(g, trail, 0), abs=5)
    assert trail.size == search.trails[0]["size"] > 10
    for it, twin in zip(nodes[1 : trail.size], search.nodes[1 : trail.size], strict=True):
        for name in ("key", "mover", "child", "sibling", "visits", "available"):
            assert getattr(it, name) == twin[name]
        assert it.wins == pytest.approx(twin["wins"], abs=50)
