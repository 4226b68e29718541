"""Observations, masks and actions say what the view says, in both twins."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from flipdeck import Face, Match, Side, View
from flipdeck.bots.player import is_forced_keep
from flipdeck.bulk import acting, kernels, twin
from flipdeck.bulk.acting import ACTIONS, LET_GO, OBSERVATION, action_of, move_for, observe, write_mask
from flipdeck.bulk.batches import Setting, seed_of_match
from flipdeck.bulk.vector import VectorGames
from flipdeck.core.cards import code_of
from flipdeck.core.errors import BadRequest
from flipdeck.core.reading import moves_of
from flipdeck.core.rules.legal import let_go, speaker
from flipdeck.core.rules.moves import MAX_MOVES
from flipdeck.core.rules.turn import apply
from flipdeck.core.seeds import seed_of
from flipdeck.core.view import Phase
from tests.bulk.test_twins import MINI, any_setting
from tests.tables import table

PHASES = {Phase.TURN: 0, Phase.DRAWN: 1, Phase.CHALLENGE: 2, Phase.COLOR: 3}


def seen_in(view: View, drawn: Face | None) -> list[int]:
    """The observation that a view amounts to, written from the view alone."""
    obs = [0] * OBSERVATION
    you, players, side = view.you or 0, view.players, view.side
    _count(obs, acting.HAND, [card.face(side) for card in view.hand], side)
    _count(obs, acting.OWN_BACKS, [card.face(side.other) for card in view.hand], side.other)
    for other in view.others:
        step = (other.seat - you) % players
        _count(obs, acting.BACKS + (step - 1) * acting.KINDS, list(other.backs), side.other)
        obs[acting.COUNTS + step] = len(other.backs)
    obs[acting.COUNTS] = len(view.hand)
    _count(obs, acting.TOP, [view.top], side)
    _count(obs, acting.DRAW_BACK, [view.draw_back], side.other)
    _count(obs, acting.DRAWN_CARD, [drawn], side)
    if view.color:
        obs[acting.COLOR + side.colors.index(view.color)] = 1
    obs[acting.PHASE + PHASES[view.phase]] = 1
    obs[acting.TO_ACT + ((view.to_act or 0) - you) % players] = 1
    for seat in range(players):
        obs[acting.CATCHABLE + (seat - you) % players] = int(seat in view.catchable)
        obs[acting.SCORES + (seat - you) % players] = view.scores[seat]
    obs[acting.ON_DARK] = int(side is Side.DARK)
    obs[acting.DIRECTION] = view.direction
    obs[acting.DRAW_COUNT], obs[acting.DISCARD_COUNT] = view.draw_count, view.discard_count
    obs[acting.OWED], obs[acting.PLAYERS], obs[acting.DEALER] = view.owed, players, (view.dealer - you) % players
    return obs


def _count(obs: list[int], start: int, faces: list[Face | None], side: Side) -> None:
    for face, number in Counter(face for face in faces if face is not None).items():
        obs[start + acting.kind_of(code_of(side, face))] = number


def drawn_by(match: Match, seat: int) -> Face | None:
    """The face just drawn, as its owner knows it."""
    view = match.view(seat)
    return None if view.drawn is None else view.drawn.face(view.side)


@pytest.mark.parametrize("number", range(8))
def test_an_observation_is_the_view_and_a_mask_is_what_is_legal(number: int) -> None:
    dice = random.Random(number)
    setting = any_setting(dice)
    match = Match(setting.edition, setting.players, seed=f"obs {number}", options=setting.options)
    g, own_backs = match._game, int(match.options.own_backs == "shown")
    for _ in range(60):
        if match.round.over:
            break
        for seat in range(match.players):
            obs, mask, out = [7] * OBSERVATION, [7] * ACTIONS, [0] * MAX_MOVES
            observe(g, seat, own_backs, obs)
            assert obs == seen_in(match.view(seat), drawn_by(match, seat))
            write_mask(g, seat, out, mask)
            moves = moves_of(g, seat, match.options.own_backs)
            actions = {action_of(g, seat, move) for move in moves.values()}
            assert len(actions) == len(moves)
            allowed = {action for action in range(ACTIONS) if mask[action]}
            assert actions <= allowed
            assert (LET_GO in allowed) == (seat != match.to_act)
            for move in moves.values():
                assert move_for(g, seat, action_of(g, seat, move), out) == move
            assert move_for(g, seat, LET_GO, out) == -1
        seat = dice.choice([seat for seat in range(match.players) if match.legal(seat)])
        match.say(seat, dice.choice(match.legal(seat)))


@pytest.mark.parametrize("own_backs", [0, 1])
def test_what_others_observe_of_a_draw_does_not_tell_whether_it_fits(own_backs: int) -> None:
    """TURN-2, SEE-2: the phase is the same, and the drawn card is its owner's to see."""
    seen = []
    for drawn in ("R9/V7", "G9/V7"):  # on R5
        match = table(["B2/P2 G3/P3", "B4/T4 B5/T5"], top="R5/O5", draw=f"{drawn} Y8/V8")
        match.say(0, "draw")
        obs = [[0] * OBSERVATION for _ in range(2)]
        for seat in range(2):
            observe(match._game, seat, own_backs, obs[seat])
        seen.append(obs)
    (fits, mine), (fits_not, mine_too) = ((obs[1], obs[0]) for obs in seen)
    assert fits == fits_not
    assert fits[acting.PHASE + PHASES[Phase.DRAWN]] == 1
    assert sum(fits[acting.DRAWN_CARD : acting.DRAWN_CARD + acting.KINDS]) == 0
    assert mine != mine_too
    assert sum(mine[acting.DRAWN_CARD : acting.DRAWN_CARD + acting.KINDS]) == 1


def test_a_vector_of_games_keeps_by_itself_what_does_not_fit() -> None:
    games, dice, drawn = VectorGames(Setting(players=2), 8, seed_of("keeps")), random.Random(1), 0
    for _ in range(300):
        before = games._games["moves"].copy(), games._games["round"].copy()
        actions = np.array([_eager(np.flatnonzero(mask).tolist(), dice) for mask in games.masks])
        games.step(actions)
        for i in range(8):
            phase = games.observations[i][acting.PHASE : acting.PHASE + 4].tolist().index(1)
            plays = games.masks[i][: acting.FIRST_WORD].any()
            assert phase != PHASES[Phase.DRAWN] or plays, "who is asked about a drawn card can play it"
            same = games._games["round"][i] == before[1][i]
            drawn += bool(same and games._games["moves"][i] == before[0][i] + 2)
    assert drawn > 50


def test_the_mini_deck_is_played_to_its_end() -> None:
    games, dice = VectorGames(Setting("classic", 2, MINI), 4, seed_of("mini")), random.Random(1)
    ended = 0
    for _ in range(400):
        games.step(np.array([dice.choice(np.flatnonzero(mask).tolist()) for mask in games.masks]))
        ended += int((games.dones > 0).sum())
    assert ended > 50


def test_both_twins_observe_alike() -> None:
    dice = random.Random(3)
    for number in range(10):
        setting = any_setting(dice)
        match = Match(setting.edition, setting.players, seed=f"twin {number}", options=setting.options)
        for _ in range(dice.randrange(40)):
            if match.to_act is not None:
                match.say(match.to_act, dice.choice(match.legal(match.to_act)))
        if match.round.over:
            continue
        g = match._game
        records, seats = np.zeros(1, twin.GAME), np.zeros(1, np.int64)
        twin.to_record(g, records[0])
        obs, masks = np.zeros((1, OBSERVATION), np.int32), np.zeros((1, ACTIONS), np.int8)
        kernels.look(records, 1, twin.move_list(), seats, obs, masks)
        want_obs, want_mask = [0] * OBSERVATION, [0] * ACTIONS
        observe(g, speaker(g), 1, want_obs)
        write_mask(g, speaker(g), [0] * MAX_MOVES, want_mask)
        assert seats[0] == speaker(g)
        assert obs[0].tolist() == want_obs
        assert masks[0].tolist() == want_mask


def test_a_vector_of_games_plays_what_the_facade_plays() -> None:
    setting = Setting("argentina", 3, {"jump_in": True, "hand_size": 4, "target": 100})
    seed = seed_of("vector")
    games = VectorGames(setting, 2, seed)
    matches = [_match(setting, seed, 0), _match(setting, seed, 1)]
    numbers, dice, ended = [0, 1], random.Random(1), Counter[int]()
    for _ in range(500):
        actions = [_eager(np.flatnonzero(mask).tolist(), dice) for mask in games.masks]
        asked = games.seats.tolist()
        games.step(np.array(actions))
        for i, match in enumerate(matches):
            g = match._game
            assert asked[i] == speaker(g)
            if actions[i] == LET_GO:
                let_go(g, asked[i])
                continue
            wanted = move_for(g, asked[i], actions[i], [0] * MAX_MOVES)
            said = {number: move for move, number in moves_of(g, asked[i]).items()}
            if wanted in said:
                match.say(asked[i], said[wanted])
            else:  # the second of two cards that are the same on both sides: to the facade the first stands for both
                apply(g, asked[i], wanted)
            if not match.round.over and is_forced_keep(match.view(match.to_act)):
                match.say(g.turn, "keep")
            ended[int(games.dones[i])] += 1
            if match.round.over:
                want = [1.0 if seat == match.round.winner else -0.5 for seat in range(3)]
                assert games.rewards[i].tolist() == (want if match.round.winner is not None else [0.0] * 3)
                assert games.dones[i] == (2 if match.over else 1)
                if match.over:
                    numbers[i] += 2
                    matches[i] = _match(setting, seed, numbers[i])
                else:
                    match.next_round()
            else:
                assert games.dones[i] == 0
            match = matches[i]
            asks = int(games.seats[i])
            assert games.observations[i].tolist() == seen_in(match.view(asks), drawn_by(match, asks))
    assert ended[1] > 2
    assert ended[2] > 0


def _eager(allowed: list[int], dice: random.Random) -> int:
    """Mostly play, so that rounds come to an end."""
    plays = [action for action in allowed if action < acting.FIRST_WORD]
    return dice.choice(plays if plays and dice.random() < 0.9 else allowed)


def _match(setting: Setting, seed: bytes, number: int) -> Match:
    own = seed_of_match(setting, seed, number)
    return Match(setting.edition, setting.players, seed=own, options=setting.options)


def test_an_illegal_action_is_refused_and_no_game_is_changed() -> None:
    games = VectorGames(Setting(players=2), 4)
    legal = games.masks.argmax(axis=1)
    before = games._games.copy()
    for bad in (-1, ACTIONS, int(np.flatnonzero(games.masks[2] == 0)[0])):
        actions = legal.copy()
        actions[2] = bad
        with pytest.raises(BadRequest, match=f"Action {bad} is not legal in game 2"):
            games.step(actions)
        assert (games._games == before).all()
    for shape in (legal[:3], legal.astype(float), [legal]):
        with pytest.raises(BadRequest, match="one whole number for each of 4 games"):
            games.step(shape)
    with pytest.raises(BadRequest, match="at least one game"):
        VectorGames(Setting(), 0)
