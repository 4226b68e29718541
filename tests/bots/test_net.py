"""The net: what it reads is what its seat sees, compiled and interpreted alike; its file says how it was made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from flipdeck.bots.belief.memory import Memory
from flipdeck.bots.match_runner import MatchRunner
from flipdeck.bots.net import SHIPPED, Net, NetBot, known_cards, open_cards, positions, read_net, save_net
from flipdeck.bots.player import BotPlayer
from flipdeck.bulk import self_play, twin
from flipdeck.bulk.card_counts import BEHIND, COLORS, EYES, FACES, FRONT, MOST_BEHIND, ROW, look_around, printed_book
from flipdeck.bulk.features import FEATURES, SAID, sound_moves
from flipdeck.bulk.learning import HIDDEN, WEIGHTS
from flipdeck.core.cards import Seat
from flipdeck.core.codes import CARDS, COLOR_AT, DARK, FIRST_WILD
from flipdeck.core.match import Match
from flipdeck.core.notation import Catch, Play, SayUno
from flipdeck.core.pairing import PRINTED_DARK, PRINTED_LIGHT
from flipdeck.core.reading import hand_in_order
from flipdeck.core.rules.hands import HALF
from flipdeck.core.rules.legal import legal_moves, speaker
from flipdeck.core.rules.moves import MAX_MOVES, WHAT_BITS
from flipdeck.core.state import OVER, Game
from tests.bots.seats import seated
from tests.random_matches import play_numbers, random_table
from tests.resampling import resampled, visible_now
from tests.tables import say, table

BOOK = printed_book()
LARGEST = 500 * 1024


# ---------------------------------------------------------------- moments of random rounds
@dataclass(frozen=True)
class NetQuestion:
    """A seat is asked; ``known`` are cards whose both sides a flip has shown."""

    game: Game
    seat: int
    moves: list[int]
    known: tuple[int, int]

    def features(self) -> Any:
        return positions(self.game, self.seat, self.moves, self.known)


class Watch:
    """Looks at a round now and then, and remembers what its flips showed."""

    def __init__(self, g: Game, dice: Random, one_in: int) -> None:
        self.found: list[NetQuestion] = []
        self._known, self._side = [0, 0], g.side
        self._dice, self._one_in = dice, one_in

    def look(self, g: Game) -> None:
        for half in range(2):
            held = sum(g.sets[2 * seat + half] for seat in range(g.players))
            self._known[half] = held if g.side != self._side else self._known[half] & held
        self._side = g.side
        if g.phase != OVER and not self._dice.randrange(self._one_in):
            seat = speaker(g)
            self.found.append(NetQuestion(g.copy(), seat, sound(g, seat), (self._known[0], self._known[1])))


def sound(g: Game, seat: int) -> list[int]:
    out = [0] * MAX_MOVES
    return out[: sound_moves(g, seat, out, legal_moves(g, seat, out))]


def moments(dice: Random, tables: int, one_in: int) -> Iterator[NetQuestion]:
    """Random tables, every other one with the printed pairing."""
    for number in range(tables):
        fixed: dict[str, object] = {"pairing": "printed", "deck": 112} if number % 2 else {}
        g = random_table(dice, **fixed).match()._game
        watch = Watch(g, dice, one_in)
        play_numbers(g, dice, watch.look)
        yield from watch.found


def renumbered(moment: NetQuestion, dice: Random) -> NetQuestion:
    """The same moment with all redrawn that the seat can't know, and the cards under other numbers."""
    g, seat = moment.game, moment.seat
    shown = visible_now(g, seat, "shown")
    for half in range(2):
        shown |= {(g.side, HALF * half + bit) for bit in range(HALF) if moment.known[half] >> bit & 1}
    other = resampled(g, shown, dice)
    number = {
        card: now
        for each in range(g.players)
        for card, now in zip(hand_in_order(g, each), hand_in_order(other, each), strict=True)
    }
    moves = [number.get(move & WHAT_BITS, move & WHAT_BITS) | move & ~WHAT_BITS if move >= 0 else move
             for move in moment.moves]  # fmt: skip
    known = [0, 0]
    for card, now in number.items():
        if moment.known[card // HALF] >> card % HALF & 1:
            known[now // HALF] |= 1 << now % HALF
    return NetQuestion(other, seat, moves, (known[0], known[1]))


# ---------------------------------------------------------------- what it reads
def test_compiled_and_interpreted_read_the_same() -> None:
    rows = [(moment, move, x)
            for moment in moments(Random(1), 40, 10)
            for move, x in zip(moment.moves, moment.features(), strict=True)]  # fmt: skip
    assert len(rows) > 1000
    games = np.zeros(len(rows), twin.GAME)
    for record, (moment, _, _) in zip(games, rows, strict=True):
        twin.to_record(moment.game, record)
    seats = np.array([moment.seat for moment, _, _ in rows])
    moves = np.array([move for _, move, _ in rows])
    known = np.array([moment.known for moment, _, _ in rows])
    x = np.zeros((len(rows), FEATURES), np.float32)
    self_play.write_all(games, seats, moves, known, np.array(BOOK), np.zeros(EYES), x)
    np.testing.assert_allclose(x, np.array([row for _, _, row in rows]), atol=1e-6)


def test_what_a_seat_cannot_know_changes_nothing_that_is_read() -> None:
    dice, seen = Random(2), 0
    for moment in moments(dice, 30, 6):
        other = renumbered(moment, dice)
        np.testing.assert_allclose(other.features(), moment.features(), atol=1e-6)
        seen += 1
    assert seen > 300


def test_a_look_at_a_hidden_front_would_be_noticed() -> None:
    """The test above can fail: with a card known that was never shown, something changes."""
    dice, changed = Random(3), 0
    for moment in moments(dice, 6, 10):
        everything = tuple(
            sum(moment.game.sets[2 * seat + half] for seat in range(moment.game.players)) for half in range(2)
        )
        peeking = NetQuestion(moment.game, moment.seat, moment.moves, (everything[0], everything[1]))
        changed += not np.allclose(peeking.features(), moment.features(), atol=1e-6)
    assert changed > 10


def test_features_are_small_and_tell_moves_apart() -> None:
    for moment in moments(Random(4), 20, 10):
        if len(moment.moves) == 1:
            continue  # nothing to weigh
        x = moment.features()
        assert np.isfinite(x).all()
        assert x.min() >= 0
        assert x[:, : SAID + 7].sum(axis=1).tolist() == [1.0] * len(x), "one thing is said"
        # a play and a word, at least: two cards of a color may well be the same to it
        plays = {move & WHAT_BITS < CARDS for move in moment.moves}
        assert len(np.unique(x, axis=0)) >= len(plays)


def test_the_printed_book_knows_every_card_by_either_face() -> None:
    for side, faces in enumerate((PRINTED_LIGHT, PRINTED_DARK)):
        for face in range(FACES):
            start = BEHIND + (side * FACES + face) * MOST_BEHIND
            listed = [card for card in BOOK[start : start + MOST_BEHIND] if card >= 0]
            assert listed == [card for card in range(112) if faces[card] == face]


def test_with_the_printed_pairing_a_back_tells_its_fronts() -> None:
    g = Match("classic", 2, seed="x", options={"pairing": "printed"})._game
    eyes = [0.0] * EYES
    look_around(g, 0, 0, 0, BOOK, eyes)
    seen = {*hand_in_order(g, 0), *g.pile[: g.pile_size]}
    expected = [0.0] * 4
    for card in hand_in_order(g, 1):
        may_be = [c for c in range(112) if PRINTED_DARK[c] == g.faces[DARK + card] and c not in seen]
        for front in (PRINTED_LIGHT[c] for c in may_be):
            if front < FIRST_WILD:
                expected[front >> COLOR_AT] += 1 / len(may_be)
    assert eyes[ROW + FRONT + COLORS : ROW + FRONT + COLORS + 4] == pytest.approx(expected)


def test_a_card_held_through_a_flip_is_known() -> None:
    g = Match("classic", 2, seed="x")._game
    eyes = [0.0] * EYES
    look_around(g, 0, g.sets[2], g.sets[3], BOOK, eyes)
    colors = [g.faces[card] >> COLOR_AT for card in hand_in_order(g, 1)]
    assert eyes[ROW + FRONT + COLORS : ROW + FRONT + COLORS + 4] == [colors.count(color) for color in range(4)]


def test_a_picture_and_a_game_read_the_same_where_the_same_is_known() -> None:
    """What the bot reads from its memory is what it read from the game while it learnt."""
    match = Match("classic", 3, seed="alike", options={"pairing": "printed"})
    memories = [Memory(match.options, 3, Seat(seat)) for seat in range(3)]
    for seat, memory in enumerate(memories):
        memory.see(match.seen(match.history[-1].dealt, seat), match.view(seat))
    dice, compared = Random(5), 0
    for _ in range(40):
        if match.round.over:
            break
        g, seat = match._game, match._game.turn
        picture = memories[seat].game
        known = known_cards(picture, seat)
        number = dict(zip(hand_in_order(g, seat), hand_in_order(picture, seat), strict=True))
        held = {card: now for other in range(3) if other != seat
                for card, now in zip(hand_in_order(g, other), hand_in_order(picture, other), strict=True)}  # fmt: skip
        same = [0, 0]
        for card, now in held.items():
            if known[now // HALF] >> now % HALF & 1:
                same[card // HALF] |= 1 << card % HALF
        moves = sound(g, seat)
        pictured = [number.get(move & WHAT_BITS, move & WHAT_BITS) | move & ~WHAT_BITS for move in moves]
        there = positions(g, seat, moves, (same[0], same[1]))
        np.testing.assert_allclose(positions(picture, seat, pictured, known), there, atol=1e-6)
        compared += 1
        events = match.say(seat, dice.choice(match.legal(seat)))
        for each, memory in enumerate(memories):
            memory.see(match.seen(events, each), match.view(each))
    assert compared > 20


def test_after_a_flip_everybody_knows_what_was_held_and_nothing_that_came_later() -> None:
    match = table(
        ["RF/P1 R7/P2 R3/P3 R4/P4", "G5/T5 G6/T6 G1/T1 G2/T2"], top="R5/P5", draw="B1/P9", bottom="B2/T9 B3/V9"
    )
    memory = seated(match, "regular", 0).memory
    assert open_cards(memory) == (0, 0)
    say(match, "0: RF", "1: draw", "1: keep", "0: draw", "0: keep")
    memory = seated(match, "regular", 0).memory
    low, high = open_cards(memory)
    seen = [card for card in range(112) if (low >> card if card < HALF else high >> card - HALF) & 1]
    hands = [hand_in_order(memory.game, seat) for seat in range(2)]
    assert sorted(seen) == sorted([*hands[0][:3], *hands[1][:4]])
    assert [len(hand) for hand in hands] == [4, 5]


# ---------------------------------------------------------------- how it plays
@pytest.fixture(scope="module")
def some_net() -> Net:
    """Any weights will do: what is tested holds for all of them."""
    return Net(np.random.default_rng(1).normal(0, 0.1, WEIGHTS).astype(np.float32))


def test_numpy_and_the_kernels_find_the_same_chances(some_net: Net) -> None:
    moment = next(moment for moment in moments(Random(6), 3, 10) if len(moment.moves) > 3)
    x = moment.features()
    weights = np.random.default_rng(1).normal(0, 0.1, WEIGHTS).astype(np.float32)
    here = self_play.room(0)
    ones = np.ones(len(x), np.float32)
    losses = [self_play.add_gradients(weights, x, ones, ones, np.array([i]), here) for i in range(len(x))]
    assert some_net.chances(x) == pytest.approx(np.exp(-np.array(losses)), abs=1e-4)


def test_it_plays_any_table_to_the_end_and_says_only_what_is_legal() -> None:
    """The shipped one: a net of any weights may well draw for ever."""
    dice, rounds = Random(7), 0
    for _ in range(10):
        match = random_table(dice).match()
        seats = range(match.players)
        players = {seat: BotPlayer(NetBot(), seat, match.players, match.options, Random(seat)) for seat in seats}
        MatchRunner(match, players, dice).play_round()  # a move that is not legal is refused with an exception
        rounds += match.round.over
    assert rounds == 10


def test_the_dice_change_nothing(some_net: Net) -> None:
    match = Match("classic", 2, seed="dice")
    for _ in range(30):
        if match.round.over or match.to_act is None:
            break
        seat = match.to_act
        view, memory = match.view(seat), Memory(match.options, 2, seat)
        memory.see((), view)
        said = {NetBot(some_net).choose(view, view.legal, memory, Random(seed)) for seed in range(3)}
        assert len(said) == 1
        match.say(seat, said.pop())


def test_uno_is_said_and_nobody_goes_uncaught(some_net: Net) -> None:
    dice, loud, caught = Random(8), 0, 0
    for number in range(60):
        match = Match("classic", 2, seed=f"uno {number}", options={"hand_size": 2, "opening_actions": "ignore"})
        seat = match.to_act
        assert seat is not None
        quiet = [move for move in match.legal(seat) if isinstance(move, Play) and not move.uno]
        memory = Memory(match.options, 2, seat)
        memory.see((), match.view(seat))
        mine = NetBot(some_net).choose(match.view(seat), match.legal(seat), memory, dice)
        if isinstance(mine, Play):
            assert mine.uno
            loud += 1
        if quiet:
            match.say(seat, dice.choice(quiet))
            other = Seat(1 - seat)
            if Catch(seat) in match.legal(other):
                watcher = Memory(match.options, 2, other)
                watcher.see((), match.view(other))
                assert NetBot(some_net).interrupt(match.view(other), match.legal(other), watcher, dice) == Catch(seat)
                late = Memory(match.options, 2, seat)
                late.see((), match.view(seat))
                if match.to_act != seat:
                    assert NetBot(some_net).interrupt(match.view(seat), match.legal(seat), late, dice) == SayUno()
                caught += 1
    assert loud > 5
    assert caught > 5


def test_weights_of_another_size_are_no_net() -> None:
    with pytest.raises(ValueError, match="weights"):
        Net(np.zeros(HIDDEN, np.float32))


# ---------------------------------------------------------------- its file
def test_the_shipped_file_is_small_holds_no_pickles_and_says_how_it_was_made() -> None:
    assert SHIPPED.stat().st_size <= LARGEST
    weights, about = read_net(SHIPPED)
    assert weights.shape == (WEIGHTS,)
    assert np.isfinite(weights).all()
    assert about["command"].startswith("flipdeck train ")
    assert f"--seed {about['seed']}" in about["command"]
    assert f"--steps {about['steps']}" in about["command"]
    tables = {(score["players"], score["pairing"]): score for score in about["evaluation"]}
    for score in tables.values():
        assert score["low"] < score["wins"] / score["rounds"] == score["win_rate"] < score["high"]
    assert tables[2, "shuffled"]["low"] > 0.6
    assert tables[4, "shuffled"]["low"] > 0.28


def test_a_net_that_is_saved_is_the_net_that_is_read(tmp_path: Path) -> None:
    weights = np.arange(WEIGHTS, dtype=np.float32)
    save_net(tmp_path / "net.npz", weights, {"seed": "ñ"})
    again, about = read_net(tmp_path / "net.npz")
    assert np.array_equal(again, weights)
    assert about == {"seed": "ñ"}
    assert [path.name for path in tmp_path.iterdir()] == ["net.npz"]
