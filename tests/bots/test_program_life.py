"""How programs that are bots begin and end: refused in a sentence if they can't begin, and gone when we are."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from flipdeck.bots.external import ExternalBot
from flipdeck.core.errors import BadOption
from flipdeck.core.match import Match
from tests.bots.programs import NEVER, Workshop, ask
from tests.bots.programs import workshop as workshop

GOOD = "while True: say(asked()['legal'][0])"


# ---------------------------------------------------------------- the end of a program
def test_at_the_end_a_program_may_leave_by_itself(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flipdeck.bots.external.GRACE", NEVER)
    bot = workshop.bot("line = lifeline()\nsay(asked()['legal'][0])\nsys.stdin.read()\nos.write(line, b'farewell')")
    ask(bot, Match(seed="abc"))
    bot.close()
    workshop.read_lifeline(b"farewell")
    bot.close()  # twice is no harm


def test_a_closed_bot_starts_nothing(workshop: Workshop) -> None:
    bot = workshop.bot(GOOD)
    ask(bot, Match(seed="abc"))
    bot.close()
    ask(bot, Match(seed="abc"))
    assert bot.faults == {"given-up": 1}
    assert len(workshop.started) == 1


STUBBORN = """
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
line = lifeline()
view = asked()
os.write(line, b"asked")
say(view["legal"][0])
while True:
    time.sleep(600)
"""


def test_a_program_that_won_t_leave_is_ended(workshop: Workshop) -> None:
    bot = workshop.bot(STUBBORN)
    ask(bot, Match(seed="abc"))
    workshop.read_lifeline(b"asked")
    bot.close()
    workshop.assert_lifeline_cut()


PARENT = """
child = subprocess.Popen(["sleep", "600"], pass_fds=[lifeline()])
os.write(lifeline(), b"born")
say(asked()["legal"][0])
"""


def test_whatever_a_program_starts_is_ended_with_it(workshop: Workshop) -> None:
    bot = workshop.bot(PARENT + "signal.pause()")
    ask(bot, Match(seed="abc"))
    workshop.read_lifeline(b"born")
    bot.close()
    workshop.assert_lifeline_cut()


def test_whatever_a_program_leaves_behind_is_ended(workshop: Workshop) -> None:
    bot = workshop.bot(PARENT)
    ask(bot, Match(seed="abc"))
    workshop.read_lifeline(b"born")
    os.waitid(os.P_PID, workshop.started[0], os.WEXITED | os.WNOWAIT)  # it has gone, its child has not
    bot.close()
    workshop.assert_lifeline_cut()


def test_a_bot_that_is_forgotten_is_ended(workshop: Workshop) -> None:
    bot = ExternalBot(workshop.command(STUBBORN), NEVER)
    ask(bot, Match(seed="abc"))
    workshop.read_lifeline(b"asked")
    del bot
    workshop.assert_lifeline_cut()


OWNER = """
import os, random, signal, sys
from flipdeck.bots.external import ExternalBot
from flipdeck.core.match import Match
signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever it was for our own parent
match = Match(seed="abc")
view = match.view(match.to_act)
bot = ExternalBot(sys.argv[1], 600)
def ask(): return bot.choose(view, view.legal, None, random.Random(1))
"""


@pytest.mark.parametrize(("leaving", "code"), [("sys.exit(3)", 3), ("1 // 0", 1)])
def test_no_program_outlives_us(workshop: Workshop, leaving: str, code: int) -> None:
    arguments = [sys.executable, "-c", f"{OWNER}\nask()\n{leaving}", workshop.command(STUBBORN)]
    owner = subprocess.run(arguments, stderr=subprocess.DEVNULL, timeout=NEVER, check=False)
    assert owner.returncode == code
    workshop.read_lifeline(b"asked")
    workshop.assert_lifeline_cut()


def test_ctrl_c_reaches_us_alone_and_leaves_no_program(workshop: Workshop) -> None:
    arguments = [sys.executable, "-c", f"{OWNER}\nask(); ask()", workshop.command(STUBBORN)]
    owner = subprocess.Popen(arguments, start_new_session=True, stderr=subprocess.DEVNULL)
    workshop.read_lifeline(b"asked")
    os.killpg(owner.pid, signal.SIGINT)
    assert owner.wait(NEVER) != 0
    workshop.assert_lifeline_cut()


def test_a_copy_of_us_ends_no_program_of_ours(workshop: Workshop) -> None:
    script = f"{OWNER}\nask()\nif not os.fork(): sys.exit()\nos.wait()\nask()\nprint(dict(bot.faults))"
    arguments = [sys.executable, "-c", script, workshop.command(GOOD)]
    done = subprocess.run(arguments, capture_output=True, timeout=NEVER, text=True, check=True)
    assert done.stdout == "{}\n"


# ---------------------------------------------------------------- starting
@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("", "no-command"),
        ("   ", "no-command"),
        ("./mybot 'open", "no-command"),
        ("./my\0bot", "no-command"),
        ("./no-such-bot", "program-missing"),
        ("no-such-bot --fast", "program-missing"),
        ("/etc/passwd/bot", "program-missing"),
        ("{folder}/without-interpreter", "program-missing"),
        ("{folder}", "program-forbidden"),
        ("{folder}/not-executable", "program-forbidden"),
        ("{folder}/no-program", "program-broken"),
        ("x" * 5000, "program-broken"),
    ],
)
def test_a_program_that_can_not_be_started_is_refused_in_one_sentence(
    workshop: Workshop, tmp_path: Path, command: str, reason: str
) -> None:
    files = {"without-interpreter": "#!/no/such/sh\n", "not-executable": "#!/bin/sh\n", "no-program": "\1\2\3"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o644 if name == "not-executable" else 0o755)
    with pytest.raises(BadOption) as refusal:
        workshop.named(command.format(folder=tmp_path))
    assert refusal.value.reason == reason
    assert 20 < len(str(refusal.value)) < 400


def test_a_command_is_split_as_a_shell_splits_it(workshop: Workshop) -> None:
    bot = workshop.named("sh -c 'read -r view; echo \"$0\" | tr A-Z a-z' DRAW")
    assert str(ask(bot, Match(seed="abc"))) == "draw"
    assert bot.name.startswith("cmd:sh -c")
