"""Tables of rounds and rollouts from Python, and what bad settings get."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from flipdeck import Match
from flipdeck.bulk import kernels, rows, twin
from flipdeck.bulk.batches import Setting, play, roll_out, run_key
from flipdeck.bulk.playing import LIMIT, MOST_VOID, play_out, take_key
from flipdeck.core.errors import BadOption, BadRequest
from flipdeck.core.rules.moves import MAX_MOVES
from flipdeck.core.seeds import key_words, seed_of
from tests.patience import HANG

SEED = seed_of("batches")


def test_a_run_is_the_same_however_it_is_cut() -> None:
    setting = Setting("splash", 3, {"target": 100}, ("eager",))
    whole = np.concatenate(list(play(setting, SEED, 0, 40)))
    parts = [table for first in (0, 15, 30) for table in play(setting, SEED, first, 15 if first < 30 else 10)]
    assert (np.concatenate(parts) == whole).all()
    assert (np.unique(whole[:, rows.MATCH]) == np.arange(40)).all()


def test_a_match_in_which_nobody_can_ever_go_out_is_abandoned() -> None:
    setting = Setting("classic", 2, {"most_moves": 1}, ("eager",))
    table = np.concatenate(list(play(setting, SEED, 0, 2)))
    assert np.bincount(table[:, rows.MATCH]).tolist() == [MOST_VOID, MOST_VOID]
    assert (table[:, rows.WON_BY] == 0).all()


def test_a_full_table_stops_in_the_middle_of_a_match_and_goes_on() -> None:
    setting = Setting("classic", 2, {"target": 2000}, ("eager",))
    whole = np.concatenate(list(play(setting, SEED, 5, 6)))
    games, cursor, out = setting.games(), np.zeros(4, np.int64), twin.move_list()
    small, pieces = np.zeros((7, rows.WIDTH), np.int64), []
    while cursor[0] < 6:
        filled = kernels.play_matches(games, run_key(SEED), 5, 6, setting.policy_numbers(), out, small, cursor)
        pieces.append(small[:filled].copy())
    assert len(pieces) > 6
    assert (np.concatenate(pieces) == whole).all()


def test_the_last_round_of_a_match_says_who_won_it() -> None:
    table = np.concatenate(list(play(Setting("classic", 4, {}, ("eager",)), SEED, 0, 30)))
    won = table[:, rows.WON_BY] > 0
    assert won.sum() == 30
    assert (table[won, rows.WON_BY] == 1 << table[won, rows.WINNER]).all()


def middle_of_a_round() -> Match:
    match = Match(players=4, seed="middle")
    for _ in range(25):
        assert match.to_act is not None
        match.say(match.to_act, match.legal(match.to_act)[0])
    return match


def test_rollouts_are_those_of_interpreted_play_and_leave_the_root_alone() -> None:
    match, setting = middle_of_a_round(), Setting(players=4, policies=("eager",))
    root, before = match._game, match._game.copy()
    winners, points = roll_out([root, root], setting, count=5, seed=SEED, first=100)
    assert root == before
    for place in range(10):
        g = root.copy()
        luck = take_key(g, key_words(SEED), 100 + place)
        g.round, g.logging = root.round, 0
        play_out(g, [1] * 4, [0] * MAX_MOVES, luck, LIMIT)
        assert winners[place // 5, place % 5] == g.winner
        assert points[place // 5, place % 5].tolist() == g.points[:4]


def test_rollouts_differ_from_each_other() -> None:
    winners, points = roll_out([middle_of_a_round()._game], Setting(players=4), count=200, seed=SEED)
    assert len(set(winners[0].tolist())) == 4
    assert len(set(map(tuple, points[0].tolist()))) > 100


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ({"edition": "deluxe"}, "no edition"),
        ({"players": 11}, "2 to 10"),
        ({"players": 10, "options": {"hand_size": 10}, "edition": "splash"}, "can't be dealt"),
        ({"options": {"stackin": True}}, "no option"),
        ({"policies": ("clever",)}, "policy can't be 'clever'"),
        ({"policies": ("random", "eager")}, "4 seats, not 2"),
        ({"policies": ()}, "4 seats, not 0"),
    ],
)
def test_a_setting_that_cannot_be_played_is_refused(bad: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadOption, match=sentence):
        Setting(**bad)  # type: ignore[arg-type]


@pytest.mark.parametrize("module", ["batches", "vector", "kernels"])
def test_without_the_extra_one_sentence_says_what_to_install(module: str) -> None:
    code = (
        "import sys; sys.modules['numba'] = sys.modules['numpy'] = None\n"
        f"try: import flipdeck.bulk.{module}\nexcept ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=HANG, check=True)
    assert "pip install 'flipdeck[bulk]'" in done.stdout


def test_a_cache_folder_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    """Numba would fall back to a place where stale code could lie; ours is private and goes with the process."""
    (tmp_path / "file").write_text("")
    code = (
        "import numba; from flipdeck.bulk import twin; twin.prepare(); import os;"
        "print(numba.config.CACHE_DIR, os.path.isdir(numba.config.CACHE_DIR))"
    )
    environment = {**os.environ, "FLIPDECK_CACHE": str(tmp_path / "file" / "x")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=HANG, check=True
    )
    folder, there = done.stdout.split()
    assert there == "True"
    assert not Path(folder).exists()


def test_rollouts_of_another_number_of_players_are_refused() -> None:
    root = Match(players=10, seed="ten")._game
    with pytest.raises(BadRequest, match="10 players, the setting of the batch 2"):
        roll_out([root], Setting(players=2), count=5)
    with pytest.raises(BadRequest, match="at least one game"):
        roll_out([root], Setting(players=10), count=0)


def test_a_seed_that_is_no_seed_is_refused() -> None:
    with pytest.raises(BadOption, match="not 2 bytes"):
        list(play(Setting(), b"ab", 0, 1))


def test_another_seed_throws_other_dice() -> None:
    one, two = setting_luck("one"), setting_luck("two")
    assert one != two


def setting_luck(seed: str) -> int:
    return take_key(Setting().game(), key_words(seed_of(seed)), 0)
