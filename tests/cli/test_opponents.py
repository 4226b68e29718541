"""``flipdeck play``: who the bots are, what is said of them, and that none outlives the match."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import repeat
from pathlib import Path

import pytest

from flipdeck.bots import Bot
from flipdeck.bots.belief.memory import Memory
from flipdeck.bots.random_bot import RandomBot
from flipdeck.cli.terminal.opponents import names_of_bots
from flipdeck.core.errors import BadRequest
from flipdeck.core.notation import Move
from flipdeck.core.record import parse
from flipdeck.core.view import View
from flipdeck.i18n import LANGUAGES, catalogue
from tests.bots.programs import Workshop, workshop
from tests.cli.terminal import Terminal, assert_refused, terminal
from tests.patience import HANG

__all__ = ["terminal", "workshop"]  # fixtures

QUICK = ("--seed", "bots", "--option", "scoring=quick")
FIRST_LEGAL = "while True: say(asked()['legal'][0])"


# ---------------------------------------------------------------- who plays
@pytest.mark.parametrize(
    ("levels", "others", "seats", "names"),
    [
        (None, [], 3, "casual casual casual"),
        ("sharp", [], 3, "sharp sharp sharp"),
        ("rookie, sharp", [], 2, "rookie sharp"),
        ("sharp", ["cmd:a,b"], 3, "sharp sharp cmd:a,b"),
        (None, ["cmd:a,b"], 3, "casual casual cmd:a,b"),
        (None, ["cmd:a", "net"], 2, "cmd:a net"),
        ("rookie,casual", ["cmd:a"], 3, "rookie casual cmd:a"),
    ],
)
def test_every_seat_of_a_bot_gets_a_name(levels: str | None, others: list[str], seats: int, names: str) -> None:
    assert names_of_bots(levels, others, seats, catalogue("en")) == names.split()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--bots sharp,rookie", "There are 3 bots in this match: name one for all, or each of them, with --bots and"),
        ("--bots a,b,c,d", "There are 3 bots in this match"),
        ("--players 2 --bots sharp,rookie", "There is 1 bot in this match: name it with --bots or --bot, not 2."),
        ("--players 2 --bots sharp --bot rookie", "There is 1 bot in this match"),
        ("--players 2 --bot sharp --bot rookie", "There is 1 bot in this match"),
        ("--watch --players 2 --bots sharp,rookie,sharp", "There are 2 bots in this match"),
        ("--bots grandmaster", "There is no bot 'grandmaster'; there are random, rookie, casual, "),
        ("--bots sharp,,rookie", "There is no bot ''; there are "),
        ("--lang es --bots grandmaster", "No hay ningún bot 'grandmaster'; hay random, rookie, "),
        ("--bot cmd:/nowhere/at/all", "'/nowhere/at/all' can't be started: there is no such program"),
        ("--bot cmd:", "'' is not a command"),
    ],
)
def test_bots_that_can_not_be_are_refused_in_one_sentence(terminal: Terminal, arguments: str, sentence: str) -> None:
    assert_refused(terminal("play", "--text", *arguments.split(" ")), f"flipdeck play: {sentence}")


def test_the_level_makes_the_match(terminal: Terminal) -> None:
    watched = {
        bots: terminal("play", "--text", "--watch", "--bots", bots, *QUICK).out
        for bots in ("rookie", "casual", "regular", "random")
    }
    assert len(set(watched.values())) == 4
    assert terminal("play", "--text", "--watch", *QUICK).out == watched["casual"]


def test_every_bot_sits_in_its_own_seat(terminal: Terminal, workshop: Workshop) -> None:
    watcher = workshop.command(
        "while True:\n view = asked(); print(view['you'], file=sys.stderr); say(view['legal'][0])"
    )
    bots = ("--bots", "rookie,casual", "--bot", f"cmd:{watcher}")
    ran = terminal("play", "--text", "--seat", "1", *bots, "--lang", "en", *QUICK, typed=repeat("1\n"))
    assert f"The last words of Dan (cmd:{watcher}): 3" in ran.lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_level_that_can_not_be_had_is_told_once(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setattr("flipdeck.bulk.available", lambda: False)
    ran = terminal("play", "--text", "--watch", "--bots", "master,master:20ms,master,net", "--lang", language, *QUICK)
    words = catalogue(language)
    told = words.text("play.instead", n=3, names=words.listed(["master", "master:20ms", "net"]), instead="regular")
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[2] == told
    assert ran.out.count("NumPy") == 1
    instead = terminal("play", "--text", "--watch", "--bots", "regular", "--lang", language, *QUICK)
    assert [line for line in ran.lines if line != told] == instead.lines


@pytest.mark.parametrize("compiled", [True, False])
def test_it_says_so_where_the_first_move_has_to_wait(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, compiled: bool
) -> None:
    monkeypatch.setattr("flipdeck.bulk.searching.is_compiled", lambda: compiled)
    ran = terminal(
        "play", "--text", "--bots", "master", "--players", "2", "--seat", "1", "--lang", "en", "--seed", "wait"
    )
    told = ran.out.count(catalogue("en").text("play.compiling"))
    assert (ran.code, told) == (0, 0 if compiled else 1)


def test_the_usual_bots_need_nothing_but_the_core() -> None:
    script = (
        "import sys; from flipdeck.cli import main\n"
        "assert main(['play', '--text', '--watch', '--seed', 'core', '--option', 'scoring=quick']) == 0\n"
        "print([name for name in ('numba', 'numpy', 'rich') if name in sys.modules])\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=HANG, check=True, text=True)
    assert ran.stdout.splitlines()[-1] == "[]"


# ---------------------------------------------------------------- programs as players
def test_a_program_plays_a_match_and_leaves(terminal: Terminal, workshop: Workshop, tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    program = f"cmd:{workshop.command(FIRST_LEGAL)} a,b"
    bots = ("--players", "3", "--bot", program, "--bot", program)
    ran = terminal("play", "--text", *bots, *QUICK, "--record", str(file), typed=repeat("1\n"))
    assert (ran.code, ran.err) == (0, "")
    assert parse(file.read_text(encoding="utf-8")).over
    assert len(workshop.started) == 2  # and the workshop sees to it that both are gone
    assert not any("lost" in line or "last words" in line for line in ran.lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_went_wrong_is_told_at_the_end(terminal: Terminal, workshop: Workshop, language: str) -> None:
    body = "for word in ('dance', 'catch 9'):\n asked(); say(word)\n"
    body += "asked(); print('a\\nout of \\x1b[31mideas', file=sys.stderr)"
    program = f"cmd:{workshop.command(body)}"
    ran = terminal(
        "play", "--text", "--players", "2", "--bot", program, "--lang", language, *QUICK, typed=repeat("1\n")
    )
    words = catalogue(language)
    name = words.text("seat.names").split()[1]
    last, faults = ran.lines[-2], ran.lines[-3]
    assert last == words.text("play.last_words", name=name, bot=program, text="out of ?[31mideas")
    assert faults.startswith(f"{name} ({program})")
    for kind in ("garbage", "illegal", "crash"):
        assert f"{words.text(f'fault.{kind}')} × " in faults


def quits(word: str) -> Iterator[str]:
    yield "1\n"
    if word == "interrupt":
        raise KeyboardInterrupt
    if word == "break":
        raise RuntimeError("the keyboard breaks")
    if word == "quit":
        yield "quit\n"


@pytest.mark.parametrize(("word", "code"), [("quit", 0), ("end", 0), ("interrupt", 130), ("break", None)])
def test_whatever_ends_a_match_ends_its_bots(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, word: str, code: int | None
) -> None:
    bots = seat(monkeypatch)
    if code is None:
        with pytest.raises(RuntimeError, match="the keyboard breaks"):
            terminal("play", "--text", *QUICK, typed=quits(word))
    else:
        ran = terminal("play", "--text", *QUICK, "--lang", "en", typed=quits(word))
        assert ran.code == code
        assert "Ben (witness) lost 1 move: no answer in time × 1." in ran.lines
    assert [bot.closed for bot in bots] == [1, 1, 1]


def test_a_bot_that_can_not_be_started_ends_those_before_it(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = seat(monkeypatch, most=2)
    assert terminal("play", "--text", *QUICK).code == 2
    assert [bot.closed for bot in bots] == [1, 1]


class CountingOpponent:
    """Plays at random, and counts how often it is sent home."""

    name = "witness"

    def __init__(self) -> None:
        self.closed = 0
        self.faults = {"timeout": 1}
        self._bot = RandomBot()

    def choose(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move:
        assert not self.closed
        return self._bot.choose(view, legal, memory, rng)

    def interrupt(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move | None:
        return self._bot.interrupt(view, legal, memory, rng)

    def close(self) -> None:
        self.closed += 1


def seat(monkeypatch: pytest.MonkeyPatch, most: int = 3) -> list[CountingOpponent]:
    """Witnesses in the seats of the bots, as many as there are."""
    bots: list[CountingOpponent] = []

    def named(text: str, warn: object) -> Bot:
        del warn
        if len(bots) == most:
            raise BadRequest("no-bot", text=text, known="")
        bots.append(CountingOpponent())
        return bots[-1]

    monkeypatch.setattr("flipdeck.cli.terminal.opponents.bot_named", named)
    return bots


# ---------------------------------------------------------------- nothing goes on forever
@pytest.mark.parametrize("bots", ["random", "rookie", "regular"])
def test_catches_in_vain_stop_nobody(terminal: Terminal, bots: str) -> None:
    def catcher() -> Iterator[str]:
        while True:
            yield "catch 1\n"
            yield "1\n"

    house = ("--option", "false_catch_penalty=1", "--option", "jump_in=on", "--option", "catch_window=while_one_card")
    ran = terminal("play", "--text", "--players", "3", "--bots", bots, *house, *QUICK, "--lang", "en", typed=catcher())
    assert ran.code == 0
    assert "You tried to catch Ben, in vain." in ran.lines
    assert any(line.endswith(" won the match.") for line in ran.lines)
