"""Interpreted and compiled rules are one: the same traces, to the bit, whatever is played."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import flipdeck
from flipdeck.bulk import kernels, twin
from flipdeck.bulk.batches import Setting, run_key
from flipdeck.bulk.fingerprint import trace_round
from flipdeck.bulk.playing import start_match, start_next_round
from flipdeck.bulk.policies import NAMES, rng_stream
from flipdeck.core import editions
from flipdeck.core.options import Options
from flipdeck.core.rules import turn
from flipdeck.core.rules.moves import MAX_MOVES
from flipdeck.core.rules.piles import draw_cards
from flipdeck.core.seeds import key_words, seed_of
from flipdeck.core.state import OVER, Game
from tests import warm
from tests.patience import HANG
from tests.thorough import THOROUGH

SEED = seed_of("twins")
DECISIONS = 300  # a round that goes on longer is compared so far
MINI: dict[str, object] = {"deck": "mini", "pairing": "shuffled", "hand_size": 2, "most_moves": 20}


@pytest.fixture(scope="module", autouse=True)
def compiled_traces() -> None:
    warm.compile_once(warm.traces)


def any_setting(dice: random.Random) -> Setting:
    """Any edition, any number of players, about half of the options changed; quick rounds more often than slow ones."""
    while True:
        options: dict[str, object] = {}
        for spec in fields(Options):
            if dice.random() < 0.5 and spec.name not in ("deck", "target", "most_moves"):
                options[spec.name] = _any_value(spec.metadata, dice)
        players = dice.randint(2, 10)
        options["most_moves"] = dice.choice((0, 0, 0, 7, 40, 150))
        if dice.random() < 0.1:
            players, options = 2, {**options, **MINI, "most_moves": dice.randint(1, 20)}
        try:
            return Setting(
                dice.choice(editions.NAMES),
                players,
                options,
                tuple(dice.choices(NAMES, (1, 3, 3))) if dice.random() < 0.8 else ("random",),
            )
        except flipdeck.Refusal:
            continue  # a combination that can't be played


def _any_value(metadata: object, dice: random.Random) -> object:
    assert hasattr(metadata, "get")
    if metadata.get("switch"):
        return dice.random() < 0.5
    if metadata.get("range"):
        low, high = metadata.get("range")
        return dice.randint(low, min(high, 4))
    return dice.choice(metadata.get("choices"))


def interpreted(setting: Setting, number: int, rounds: int) -> int:
    g = setting.game()
    out, seats = [0] * MAX_MOVES, setting.policy_numbers().tolist()
    luck = start_match(g, key_words(SEED), number)
    trace = trace_round(g, seats, out, luck, 0, DECISIONS)
    for later in range(1, rounds):
        if g.phase == OVER and not g.winners:
            start_next_round(g)
            trace = trace_round(g, seats, out, rng_stream(luck, later), trace, DECISIONS)
    return trace


def compiled(setting: Setting, first: int, count: int, rounds: int) -> list[int]:
    traces = np.zeros(count, np.int64)
    seats, out = setting.policy_numbers(), twin.move_list()
    kernels.trace_matches(setting.games(), run_key(SEED), first, rounds, DECISIONS, seats, out, traces)
    return [int(trace) for trace in traces]


def differing(settings: int, matches: int, seed: str) -> list[Setting]:
    """The settings, of so many random ones, in which some match has two traces."""
    dice = random.Random(seed)
    found = []
    for number in range(settings):
        setting, first = any_setting(dice), 1000 * number
        want = [interpreted(setting, first + i, rounds=2) for i in range(matches)]
        if compiled(setting, first, matches, rounds=2) != want:
            found.append(setting)
    return found


def test_both_twins_play_the_same_matches() -> None:
    assert differing(settings=60, matches=3, seed="a few") == []


@pytest.mark.parametrize("part", range(8 if THOROUGH else 4))
def test_both_twins_play_the_same_many_matches(part: int) -> None:
    assert differing(settings=100, matches=4, seed=f"many {part}") == []


@pytest.mark.parametrize("edition", editions.NAMES)
@pytest.mark.parametrize("players", [2, 3, 10])
def test_both_twins_play_every_edition_as_printed(edition: str, players: int) -> None:
    setting = Setting(edition, players, {}, ("eager",))
    assert compiled(setting, 7, 5, rounds=3) == [interpreted(setting, 7 + i, rounds=3) for i in range(5)]


@pytest.mark.parametrize("policy", NAMES)
def test_both_twins_play_the_mini_deck(policy: str) -> None:
    setting = Setting("classic", 2, MINI, (policy,))
    assert compiled(setting, 7, 100, rounds=3) == [interpreted(setting, 7 + i, rounds=3) for i in range(100)]


def test_random_settings_try_every_option() -> None:
    dice, met = random.Random("options"), dict[str, set[object]]()
    for _ in range(400):
        rules = any_setting(dice).rules()
        for spec in fields(Options):
            met.setdefault(spec.name, set()).add(getattr(rules, spec.name))
    for name in ("opening_ignored", "forced_play", "draw_until_playable", "bluffing", "most_moves", "deck"):
        assert len(met[name]) > 1, name
    assert met["deck"] == {112, 108, "mini"}


def test_a_rule_changed_in_one_twin_only_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert differing(settings=10, matches=3, seed="mutant") == []

    def lenient(g: Game, seat: int, other: int) -> None:
        g.silent &= ~(1 << other)
        draw_cards(g, other, 1 + seat * 0)

    monkeypatch.setattr(turn, "catch", lenient)
    assert differing(settings=10, matches=3, seed="mutant") != []


def test_a_record_holds_every_field_of_a_game_and_nothing_else() -> None:
    assert twin.GAME.names == tuple(f.name for f in fields(Game))
    g = Setting(players=3).game()
    start_match(g, key_words(SEED), 1)
    record = np.zeros(1, twin.GAME)[0]
    twin.to_record(g, record)
    assert twin.from_record(record) == g


def test_a_game_in_flight_takes_four_kilobytes_at_most() -> None:
    assert twin.GAME.itemsize <= 4096


def test_a_changed_rule_is_compiled_anew(tmp_path: Path) -> None:
    """Numba's own cache does not see changes in imported files; ours must."""
    source = tmp_path / "flipdeck"
    shutil.copytree(Path(flipdeck.__file__).parent, source, ignore=shutil.ignore_patterns("__pycache__"))
    rule = source / "core/rules/deal.py"

    def run() -> list[str]:
        environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{Path(__file__).parents[2]}"}
        environment["FLIPDECK_CACHE"] = str(tmp_path / "cache")
        done = subprocess.run(
            [sys.executable, "-m", "tests.bulk.dealing"],
            env=environment,
            capture_output=True,
            text=True,
            timeout=HANG,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    assert run() == ["1", "1"]
    text = rule.read_text(encoding="utf-8")
    changed = text.replace("return (g.dealer + 1) % g.players", "return (g.dealer + 2) % g.players")
    assert changed != text
    rule.write_text(changed, encoding="utf-8")
    assert run() == ["2", "2"]


def test_whatever_is_kept_out_of_line_is_a_compiled_function() -> None:
    """A function that was renamed would be inlined again without a word."""
    names = {function.__name__ for function in twin._functions(twin.COMPILED)}
    assert not twin.OUT_OF_LINE - names
