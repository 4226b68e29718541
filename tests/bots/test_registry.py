"""Bots by name: what there is, what is refused, and who takes the place of a bot that can't be had."""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random

import pytest

from flipdeck import bulk
from flipdeck.bots.external import ExternalBot
from flipdeck.bots.ladder import LadderBot
from flipdeck.bots.levels import LADDER, Eye
from flipdeck.bots.master import BUDGET, Master
from flipdeck.bots.player import BotPlayer
from flipdeck.bots.random_bot import RandomBot
from flipdeck.bots.registry import NAMES, bot_named
from flipdeck.core.errors import BadRequest, Refusal
from tests.patience import HANG
from tests.tables import table


def test_the_ladder_is_known_from_the_bottom_to_the_top() -> None:
    assert NAMES == ("random", "rookie", "casual", "regular", "sharp", "master", "net")


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_is_called_what_it_was_asked_for_by(name: str) -> None:
    assert bot_named(name).name == name


@pytest.mark.parametrize("name", NAMES)
def test_every_seat_gets_a_bot_of_its_own(name: str) -> None:
    assert bot_named(name) is not bot_named(name)


def test_names_lead_to_their_kinds() -> None:
    assert isinstance(bot_named("random"), RandomBot)
    for level in LADDER:
        assert isinstance(bot_named(level.name), Master if level.eye is Eye.WORLDS else LadderBot)


# ---------------------------------------------------------------- budgets
@pytest.mark.parametrize(
    ("text", "seconds", "worlds"),
    [
        ("master", BUDGET, None),
        ("master:250ms", 0.25, None),
        ("master:25ms", 0.025, None),
        ("master:1ms", 0.001, None),
        ("master:0ms", 0.001, None),
        ("master:99999ms", 99.999, None),
        ("master:200worlds", BUDGET, 200),
        ("master:1worlds", BUDGET, 1),
        ("master:0worlds", BUDGET, 1),
        ("sharp", 0, 64),
        ("sharp:10ms", 0.01, None),
        ("sharp:4worlds", 0, 4),
    ],
)
def test_who_searches_has_a_time_or_a_number_of_worlds(text: str, seconds: float, worlds: int | None) -> None:
    bot = bot_named(text)
    assert isinstance(bot, Master)
    assert bot.name == text
    assert bot.seconds == pytest.approx(seconds)
    assert bot.worlds == worlds
    assert bot.weighs == text.startswith("master"), "the Master alone asks the net"


# ---------------------------------------------------------------- refusals
@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "simple",
        "Regular",
        "regular ",
        "regular:250ms",
        "net:250ms",
        "random\n",
        "master:",
        "master:fast",
        "master:250",
        "master:ms",
        "master:-5ms",
        "master:1.5ms",
        "master:123456ms",
        "master:1234567worlds",
        "master:٢٥ms",
        "master:5ms,regular",
        "sharp:",
        "sharp:4",
        "mastermind",
        "cmd",
        "x" * 5000,
    ],
)
def test_nonsense_is_refused_in_a_sentence_that_says_what_there_is(text: str) -> None:
    with pytest.raises(BadRequest) as refusal:
        bot_named(text)
    assert refusal.value.reason == "no-bot"
    sentence = str(refusal.value)
    assert all(name in sentence for name in NAMES)
    assert "\n" not in sentence
    assert len(sentence) < 400


# ---------------------------------------------------------------- without what it needs
@pytest.mark.parametrize("text", ["sharp", "master", "master:250ms", "master:20worlds", "net"])
def test_without_the_extra_regular_plays_and_one_sentence_says_so(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "available", lambda: False)
    told: list[str] = []
    bot = bot_named(text, told.append)
    assert isinstance(bot, LadderBot)
    assert bot.name == "regular"
    assert told == [f"{text} needs Numba and NumPy (pip install 'flipdeck[bulk]'); regular plays in its place."]
    assert bot_named(text).name == "regular", "and where nobody listens it is just so"


@pytest.mark.parametrize("text", [name for name in NAMES if name not in ("sharp", "master", "net")])
def test_all_others_need_nothing(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "available", lambda: False)
    told: list[str] = []
    assert bot_named(text, told.append).name == text
    assert told == []


def test_nonsense_is_nonsense_with_the_extra_or_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "available", lambda: False)
    told: list[str] = []
    with pytest.raises(BadRequest):
        bot_named("masterly", told.append)
    assert told == []


WITHOUT = """
import json, sys
from random import Random
sys.modules["numba"] = sys.modules["numpy"] = None
from flipdeck.bots.player import BotPlayer
from flipdeck.bots.registry import NAMES, bot_named
from flipdeck.bots.match_runner import MatchRunner
from flipdeck.core.match import Match
told = []
match = Match("classic", len(NAMES), seed="plain", options={"scoring": "quick"})
bots = [bot_named(name, told.append) for name in NAMES]
seats = {seat: BotPlayer(bot, seat, match.players, match.options, Random(seat)) for seat, bot in enumerate(bots)}
turns = MatchRunner(match, seats, Random(0)).play_round()
print(json.dumps({"told": len(told), "names": [bot.name for bot in bots], "over": match.over or match.round.over}))
"""


def test_the_ladder_plays_a_round_where_neither_numba_nor_numpy_is_installed() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, timeout=HANG, check=False)
    assert done.returncode == 0, done.stderr
    names = ["random", "rookie", "casual", "regular", "regular", "regular", "regular"]
    assert json.loads(done.stdout) == {"told": 3, "names": names, "over": True}


# ---------------------------------------------------------------- programs
def test_a_command_is_a_program_of_its_own() -> None:
    command = f"{sys.executable} -c 'import sys; sys.stdin.readline(); print(\"draw\")'"
    bot = bot_named(f"cmd:{command}")
    try:
        assert isinstance(bot, ExternalBot)
        assert bot.name == f"cmd:{command}"
        player = BotPlayer(bot, 0, 2, table(["R7 B2", "G5 G6"], top="R5").options, Random(0))
        assert str(player.answer(table(["R7 B2", "G5 G6"], top="R5").view(0))) == "draw"
    finally:
        bot.close()


@pytest.mark.parametrize("text", ["cmd:", "cmd:  ", "cmd:'", "cmd:/nowhere/at/all"])
def test_a_command_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(Refusal) as refusal:
        bot_named(text)
    assert refusal.value.reason in ("no-command", "program-missing")
