"""A batch plays what the core plays, shows what a view shows, and hands out nothing by accident."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from flipdeck.bulk import twin
from flipdeck.bulk.acting import kind_of
from flipdeck.core.errors import BadOption, BadRequest
from flipdeck.core.rules.moves import MAX_MOVES
from flipdeck.core.writing import saying
from flipdeck.envs.batch import ACTIONS, GameBatch, Rules
from flipdeck.envs.columns import FLAT, OBSERVATIONS, TABLE, Layout
from flipdeck.envs.compiled import encoding, stepping
from flipdeck.envs.compiled.actions import NO_MOVE, move_of_action
from flipdeck.envs.compiled.episode import RUNNING, TERMINATED, TRUNCATED, Episode
from flipdeck.envs.compiled.recalling import write_history
from tests.bulk.test_twins import any_setting
from tests.envs.seen import REMEMBERED, Beside, sections_of, seen_in
from tests.thorough import THOROUGH

EPISODES = 300 if THOROUGH else 25


def any_rules(dice: random.Random, **fixed: Any) -> Rules:
    """Any edition, table and options, with any settings of the environment."""
    while True:
        setting = any_setting(dice)
        chosen = {
            "actions": dice.choice(("full", "compact")),
            "interrupts": dice.choice(("asked", "auto")),
            "forced": dice.choice(("asked", "inside")),
            "rewards": dice.choice(("round", "points")),
            "limit": dice.choice((30, 300)),
            **fixed,
        }
        try:
            return Rules(setting.players, setting.edition, dict(setting.options), **chosen)
        except BadOption:
            continue  # no points with quick scoring


def dealt(rules: Rules, size: int = 1, seed: int = 0, **how: Any) -> GameBatch:
    batch = GameBatch(rules, size, **how)
    batch.seed(range(seed, seed + size))
    batch.deal()
    return batch


def any_actions(batch: GameBatch, dice: random.Random) -> Any:
    return np.array([_any_action(np.flatnonzero(mask).tolist(), dice) for mask in batch.masks])


def _any_action(allowed: list[int], dice: random.Random) -> int:
    """Mostly play, so that rounds come to an end."""
    plays = [action for action in allowed if action < 60]
    return dice.choice(plays if plays and dice.random() < 0.7 else allowed)


def expected_seat(beside: Beside) -> int:
    """Who is asked, from what a spectator sees."""
    match, heard = beside.match, beside.match._game.heard
    view, turn = match.view(None), match.to_act or 0
    jumps = match.options.jump_in and view.phase.value == "turn" and str(view.top)[0] != "W"
    for step in range(1, match.players):
        seat = (turn + step * view.direction) % match.players
        late = seat in view.catchable and match.options.late_uno
        if not heard >> seat & 1 and (set(view.catchable) - {seat} or late or jumps):
            return seat
    return turn


def test_a_batch_agrees_with_the_core_action_by_action() -> None:
    dice, steps, ended = random.Random("agree"), 0, 0
    for number in range(EPISODES):
        rules = any_rules(dice, actions="full", interrupts="asked", forced="asked", limit=120)
        batch = dealt(rules, seed=number, again=False)
        beside = Beside(batch, rules)
        while batch.running[0]:
            seat = int(batch.seats[0])
            assert seat == expected_seat(beside)
            view = beside.match.view(seat)
            got = sections_of(batch.observations["observation"][0], rules.players)
            hidden = beside.match.options.own_backs == "hidden" and any(batch.episodes["known"][0])
            for name, want in seen_in(view, beside.match.options.target).items():
                if not (hidden and name in ("behind", "own_backs")):  # remembered, where a flip has shown them
                    assert got[name] == want, f"{name} of {rules}"
            check_remembered(got, beside)
            legal = set(map(str, view.legal))
            e = batch.episodes[0]
            listed = {say for m in e["moves"][: e["choices"]] if (say := text_of(beside, int(m)))}
            assert listed == legal
            action = int(any_actions(batch, dice)[0])
            beside.say(seat, beside.move_of(action))
            batch.step([action])
            assert twin.from_record(batch.games[0]).save() == like(batch, beside).save()
            steps += 1
        ended += batch.ended[0] == TERMINATED
        assert batch.seed_of_last() == beside.match.seed.hex()
    assert steps > 20 * EPISODES
    assert ended > EPISODES // 3


def text_of(beside: Beside, move: int) -> str:
    return saying(beside.match._game, move, beside.match.options.own_backs) if move >= 0 else ""


def like(batch: GameBatch, beside: Beside) -> Any:
    """The game of the match, with the log as the batch keeps it."""
    g = beside.match._game.copy()
    g.logging, g.log_size, g.log = (batch.games[name][0].tolist() for name in ("logging", "log_size", "log"))
    return g


def check_remembered(got: dict[str, list[int]], beside: Beside) -> None:
    """What a view does not say, from the game itself."""
    g = beside.match._game
    pile = [0] * 54
    for card in g.pile[: g.pile_size]:
        pile[kind_of(g.faces[g.side + card])] += 1
    assert got["discard"] == pile
    assert (sum(got["discard_backs"]) == g.pile_size) == (beside.match.options.own_backs == "shown")
    assert got["moves"] == [min(g.moves, 255)]
    assert got["passes"] == [g.passes]


def test_cards_held_through_a_flip_and_hands_that_a_challenge_shows_are_remembered() -> None:
    dice, flips, challenges = random.Random("remember"), 0, 0
    rules = Rules(players=3, actions="full", forced="asked")
    layout = Layout(FLAT, 3)
    for number in range(60):
        batch = dealt(rules, seed=number, again=False)
        while batch.running[0]:
            before, phase = batch.games["side"][0], batch.games["phase"][0]
            action = int(any_actions(batch, dice)[0])
            seat = int(batch.seats[0])
            batch.step([action])
            g = batch.games[0]
            if not batch.running[0]:
                break
            flipped, challenged = g["side"] != before, phase == 2 and action == 275
            for viewer in range(3):
                known = batch.seen_by(viewer)[0]["observation"][layout.slice_of("known")].reshape(2, 54)
                sizes = [int(g["counts"][(viewer + step) % 3]) for step in (1, 2)]
                assert (known.sum(axis=1) <= sizes).all()
                if flipped:
                    assert known.sum(axis=1).tolist() == sizes
                    flips += 1
                if challenged and viewer == seat:
                    assert known.sum() > 0
                    challenges += 1
    assert flips > 20
    assert challenges > 20


def test_both_twins_play_and_see_alike() -> None:
    dice = random.Random("twins")
    for number in range(12):
        rules = any_rules(dice, observation=dice.choice(("flat", "cards", "history", "state")))
        batch = dealt(rules, seed=number, again=False)
        g, e = twin.from_record(batch.games[0]), rules.episode()
        e.run_key, e.seating = batch.episodes["run_key"][0].tolist(), [-1] * 10
        out, history = [0] * MAX_MOVES, [[0] * 6 for _ in range(2048 if e.keep_events else 0)]
        stepping.deal_episode(g, e, out, [], history)
        for _ in range(40):
            assert plain(e) == plain_record(batch.episodes[0])
            assert g.save() == twin.from_record(batch.games[0]).save()
            if e.done != RUNNING:
                break
            check_seen(batch, rules, g, e, history)
            action = int(any_actions(batch, dice)[0])
            move = move_of_action(e, action)
            assert move != NO_MOVE
            stepping.answer(g, e, move, out, [], history)
            batch.step([action])


def check_seen(batch: GameBatch, rules: Rules, g: Any, e: Episode, history: list[list[int]]) -> None:
    seen = batch.observations
    if rules.observation == "flat":
        layout = Layout(FLAT, rules.players)
        row = [0] * layout.width
        encoding.write_flat(g, e, e.asked, layout.starts, row)
        assert seen["observation"][0].tolist() == row
        return
    layout = Layout(TABLE, rules.players)
    row = [0] * layout.width
    encoding.write_table(g, e, e.asked, layout.starts, row)
    assert seen["table"][0].tolist() == row
    (name,) = set(seen) - {"table"}
    rows = [[0] * seen[name].shape[2] for _ in range(seen[name].shape[1])]
    if name == "cards":
        encoding.write_cards(g, e, e.asked, rows)
    elif name == "events":
        write_history(g, e, e.asked, history, rows)
    else:
        encoding.write_state(g, e, e.asked, rows)
    assert seen[name][0].tolist() == rows


def plain(e: Episode) -> dict[str, Any]:
    names = set(EPISODE_NAMES) - {"moves", "actions"}
    choices = e.moves[: e.choices], e.actions[: e.choices]
    return {name: getattr(e, name) for name in names} | {"choices": choices}


def plain_record(record: Any) -> dict[str, Any]:
    names = set(EPISODE_NAMES) - {"moves", "actions"}
    n = record["choices"]
    choices = record["moves"][:n].tolist(), record["actions"][:n].tolist()
    return {name: record[name].tolist() for name in names} | {"choices": choices}


EPISODE_NAMES = [name for name in Episode.__dataclass_fields__ if name not in ("rewards", "gains")]


@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_a_batch_of_many_is_many_batches_of_one_and_threads_change_nothing(observation: str) -> None:
    rules = Rules(players=3, observation=observation, actions="compact", limit=60)
    together, threaded = dealt(rules, 5, seed=7), dealt(rules, 5, seed=7, threads=2)
    alone = [dealt(rules, 1, seed=7 + i) for i in range(5)]
    dice = random.Random(1)
    for _ in range(150):
        actions = any_actions(together, dice)
        together.step(actions)
        threaded.step(actions)
        for name, array in together.observations.items():
            assert (threaded.observations[name] == array).all()
            assert (threaded.finals[name] == together.finals[name]).all()
        for i, one in enumerate(alone):
            one.step(actions[i : i + 1])
            assert (one.masks[0] == together.masks[i]).all()
            assert (one.gains[0] == together.gains[i]).all()
            assert one.ended[0] == together.ended[i]
            for name, array in together.observations.items():
                assert (one.observations[name][0] == array[i]).all()
    threaded.close()


def test_an_episode_is_cut_off_at_its_limit_and_its_last_observation_is_kept() -> None:
    batch, dice, cut = dealt(Rules(players=2, limit=20), 4), random.Random(2), 0
    layout = Layout(FLAT, 2)
    for _ in range(200):
        batch.step(any_actions(batch, dice))
        for i in np.flatnonzero(batch.ended):
            over = batch.finals["observation"][i][layout.slice_of("phase")][4]
            assert over == (batch.ended[i] == TERMINATED)
            assert batch.observations["observation"][i][layout.slice_of("moves")][0] <= 3, "the next one has begun"
            cut += batch.ended[i] == TRUNCATED
            if batch.ended[i] == TRUNCATED:
                assert not batch.gains[i].any()
    assert cut > 10


@pytest.mark.parametrize("rewards", ["round", "points", "match"])
@pytest.mark.parametrize("scoring", ["points", "lowest"])
def test_rewards_add_up_to_nothing_and_favor_the_winner(rewards: str, scoring: str) -> None:
    options = {"target": 60, "hand_size": 3, "scoring": scoring}
    rules = Rules(3, "classic", options, rewards=rewards, whole_match=True, actions="compact")
    batch, paid, ended = dealt(rules, 8, again=False), 0, 0
    while batch.running.any():
        before = batch.running.copy()
        actions = np.where(before, np.array([mask.argmax() for mask in batch.masks]), 0)
        batch.step(actions)
        assert abs(batch.gains.sum(axis=1)).max() < 1e-5
        for i in np.flatnonzero(before):
            paid += bool(batch.gains[i].any())
            if batch.ended[i] == TERMINATED:
                ended += 1
                seats = batch.games["winners"][i]
                best = {int(seat) for seat in np.flatnonzero(batch.gains[i] == batch.gains[i].max())}
                if rewards == "match":
                    assert best == {seat for seat in range(3) if seats >> seat & 1}
    assert ended == 8
    assert paid >= 8


def test_an_illegal_action_is_refused_and_no_game_is_changed() -> None:
    for threads in (1, 2):
        batch = dealt(Rules(players=2), 4, threads=threads)
        legal = batch.masks.argmax(axis=1)
        games, episodes = batch.games.copy(), batch.episodes.copy()
        for bad in (-1, ACTIONS["full"], int(np.flatnonzero(batch.masks[2] == 0)[0])):
            actions = legal.copy()
            actions[2] = bad
            with pytest.raises(BadRequest, match=f"Action {bad} is not legal in game 2"):
                batch.step(actions)
        for shape in (legal[:3], legal.astype(float), [legal]):
            with pytest.raises(BadRequest, match="one whole number for each of 4 games"):
                batch.step(shape)
        with pytest.raises(BadRequest, match="one yes or no for each of 4 games"):
            batch.deal([True])
        with pytest.raises(BadRequest, match="no seat 2"):
            batch.seen_by(2)
        assert (batch.games == games).all()
        assert (batch.episodes == episodes).all()
        batch.close()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"observation": "all"}, "observation can't be 'all'; choose flat or cards or moves or history or state."),
        ({"observation": None}, "observation can't be None"),
        ({"actions": 3}, "actions can't be 3; choose full or compact."),
        ({"rewards": "money"}, "rewards can't be 'money'; choose round or points or match."),
        ({"rewards": "match"}, "rewards can't be 'match'; choose round or points: an episode is a round here."),
        ({"rewards": "points", "options": {"scoring": "quick"}}, "quick scoring counts none"),
        ({"interrupts": "race"}, "interrupts can't be 'race'; choose asked or auto."),
        ({"forced": 1}, "forced can't be 1; choose asked or inside."),
        ({"limit": 0}, "limit is a whole number from 1 to 1000000, not 0."),
        ({"players": 11}, "2 to 10 can play, not 11."),
        ({"edition": "old"}, "There is no edition 'old'"),
        ({"options": {"fast": True}}, "There is no option 'fast'"),
    ],
)
def test_a_wrong_setting_gets_one_sentence(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadOption) as refused:
        Rules(**wrong)
    assert sentence in str(refused.value)


def test_a_batch_has_at_least_one_game_and_one_thread() -> None:
    with pytest.raises(BadRequest, match="at least one game"):
        GameBatch(Rules(), 0)
    with pytest.raises(BadOption, match="threads is a whole number"):
        GameBatch(Rules(), 4, threads=0)


def test_every_section_is_written_and_stays_below_its_highest_value() -> None:
    """In play with every option that fills a section; ``REMEMBERED`` names those that a view can't prove."""
    rules = Rules(4, "splash", {"stacking": True, "target": 100, "hand_size": 2}, whole_match=True, forced="asked")
    batch, dice, layout = dealt(rules, 8), random.Random(5), Layout(FLAT, 4)
    highest = np.zeros(layout.width, np.uint8)
    for _ in range(600):
        batch.step(any_actions(batch, dice))
        highest = np.maximum(highest, batch.observations["observation"].max(axis=0))
    assert (highest <= layout.highs).all()
    for name in {section.name for section in FLAT} - {"passes"}:
        assert highest[layout.slice_of(name)].any(), name
    assert set(REMEMBERED) <= {section.name for section in FLAT}
