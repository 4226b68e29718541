"""Bots that are classes of the user's: found by name, asked like any other, refused with a sentence."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from flipdeck.bots.belief.memory import Memory
from flipdeck.bots.match_runner import MatchRunner
from flipdeck.bots.player import BotPlayer
from flipdeck.bots.python_bot import PythonBot
from flipdeck.bots.registry import bot_named
from flipdeck.core.cards import Seat
from flipdeck.core.errors import BadRequest
from flipdeck.library import Match

ROOT = Path(__file__).parents[2]
MODULES = {
    "small_bots": """
class First:
    def choose(self, view, legal, memory, rng):
        return legal[0]

class ByText(First):
    def choose(self, view, legal, memory, rng):
        return str(legal[0])

class Cheat(First):
    def choose(self, view, legal, memory, rng):
        return "W/W=R"
    interrupt = choose

class Closing(First):
    closed = 0
    def close(self):
        Closing.closed += 1

class Unable:
    pass

number = 7
""",
    "lame_bots": "import a_module_that_nobody_has\n",
}


@pytest.fixture(autouse=True)
def _in_a_folder_with_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name, code in MODULES.items():
        (tmp_path / f"{name}.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield
    for name in MODULES:
        sys.modules.pop(name, None)


def played(*names: str, seed: str = "python bots") -> Match:
    match = Match(players=len(names), seed=seed)
    bots = [bot_named(name) for name in names]
    players = {
        seat: BotPlayer(bot, seat, len(names), match.options, random.Random(seat)) for seat, bot in enumerate(bots)
    }
    MatchRunner(match, players, random.Random(0)).play_round()
    for bot in bots:
        bot.close()
    return match


@pytest.mark.parametrize("name", ["First", "ByText", "Closing"])
def test_a_class_of_the_current_folder_plays_a_round(name: str) -> None:
    assert played(f"py:small_bots:{name}", "regular").round.over


def test_a_class_is_closed_if_it_wants_to_be() -> None:
    played("py:small_bots:Closing", "py:small_bots:Closing")
    assert sys.modules["small_bots"].Closing.closed == 2


def test_a_bot_is_called_what_it_was_asked_for_by() -> None:
    assert bot_named("py:small_bots:First").name == "py:small_bots:First"


def test_an_illegal_answer_names_the_bot_and_changes_nothing() -> None:
    match = Match(players=2, seed="cheat")
    seat = match.to_act or Seat(0)
    bot, memory = PythonBot("small_bots:Cheat"), Memory(match.options, 2, seat)
    before = match.record()
    for ask in (bot.choose, bot.interrupt):
        with pytest.raises(
            BadRequest, match=r"^py:small_bots:Cheat answered 'W/W=R', which is not legal now; legal are"
        ):
            ask(match.view(seat), match.legal(seat), memory, random.Random(0))
    assert match.record() == before


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("py:", "bot-class-form"),
        ("py:small_bots", "bot-class-form"),
        ("py::First", "bot-class-form"),
        ("py:small_bots:First()", "bot-class-form"),
        ("py:no_such_module:First", "bot-no-module"),
        ("py:no_such_package.bots:First", "bot-no-module"),
        ("py:small_bots:Second", "bot-no-class"),
        ("py:small_bots:number", "bot-no-class"),
        ("py:small_bots:Unable", "bot-no-choose"),
    ],
)
def test_what_is_no_bot_is_refused_with_its_reason(name: str, reason: str) -> None:
    with pytest.raises(BadRequest) as refused:
        bot_named(name)
    assert refused.value.reason == reason


def test_a_module_that_lacks_another_says_which() -> None:
    with pytest.raises(ModuleNotFoundError, match="a_module_that_nobody_has"):
        bot_named("py:lame_bots:First")


def test_the_first_bot_of_the_examples_beats_one_that_takes_what_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    wins = [played("py:first_bot:FirstBot", "random", seed=f"first bot {deal}").round.winner for deal in range(40)]
    assert wins.count(Seat(0)) > 30
