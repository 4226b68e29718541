"""Bots that are programs: they play, and whatever they get wrong costs them a move and nobody else anything."""

from __future__ import annotations

import json
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from flipdeck.bots.external import FAULTS, RESTARTS, fallback
from flipdeck.bots.program import LONGEST, Fault, Program
from flipdeck.core.match import Match
from flipdeck.core.notation import Catch, Move
from tests.bots.programs import A_TICK, NEVER, Workshop, ask, play, stopped_clock, ticking_clock
from tests.bots.programs import workshop as workshop
from tests.tables import say, table

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = [str(ROOT / "examples" / name) for name in ("mybot.py", "mybot.sh")]
HOUSE_RULES: dict[str, Any] = {
    "stacking": True,
    "jump_in": True,
    "false_catch_penalty": 2,
    "own_backs": "hidden",
    "start_side": "dark",
}
STARTS = 1 + RESTARTS

GOOD = "while True: say(asked()['legal'][0])"


# ---------------------------------------------------------------- playing well
@pytest.mark.parametrize("command", EXAMPLES)
@pytest.mark.parametrize(
    ("players", "options"), [(2, {}), (3, HOUSE_RULES), (4, {})], ids=["two", "house rules", "four"]
)
def test_the_examples_play_whole_rounds_without_a_fault(
    workshop: Workshop, command: str, players: int, options: dict[str, Any]
) -> None:
    bot = workshop.named(command)
    assert play(bot, players=players, rounds=2, **options) > 10
    assert bot.faults == Counter()
    assert bot.last_words == ""


def test_programs_play_each_other(workshop: Workshop) -> None:
    bots = [workshop.named(EXAMPLES[0]), workshop.named(EXAMPLES[1]), workshop.named(EXAMPLES[0])]
    play(*bots, players=3, rounds=2)
    assert [bot.faults for bot in bots] == [Counter()] * 3


def test_a_seat_has_one_process_for_the_whole_match(workshop: Workshop) -> None:
    play(workshop.bot(GOOD), workshop.bot(GOOD), players=3, rounds=2)
    assert len(workshop.started) == 2


def test_it_is_written_the_view_of_its_seat_in_one_line(workshop: Workshop, tmp_path: Path) -> None:
    bot = workshop.bot(f"view = asked(); json.dump(view, open({str(tmp_path / 'seen')!r}, 'w')); say('draw')")
    match = Match(players=3, seed="abc")
    assert match.to_act is not None
    ask(bot, match)
    assert json.loads((tmp_path / "seen").read_text()) == match.view(match.to_act).to_dict()


def test_the_shell_finds_fields_by_their_spacing(workshop: Workshop, tmp_path: Path) -> None:
    bot = workshop.bot(f"open({str(tmp_path / 'seen')!r}, 'w').write(sys.stdin.readline()); say('draw')")
    ask(bot, Match(players=3, seed="abc"))
    seen = (tmp_path / "seen").read_text()
    assert ', "you": 0, ' in seen
    assert seen.rpartition('"legal": [')[2].endswith('", "draw"]}\n')


@pytest.mark.parametrize("answer", ["draw\n", "  draw\t\n", "draw\r\n"])
def test_space_around_a_move_does_not_matter(workshop: Workshop, answer: str) -> None:
    bot = workshop.bot(f"asked(); sys.stdout.write({answer!r}); sys.stdout.flush(); asked()")
    assert str(ask(bot, Match(seed="abc"))) == "draw"
    assert bot.faults == Counter()


# ---------------------------------------------------------------- out of turn
@pytest.mark.parametrize(
    ("answer", "move", "faults"),
    [
        ("catch 1", Catch(1), {}),  # type: ignore[arg-type]
        ("pass", None, {}),
        ("", None, {}),
        ("catch 2", None, {"illegal": 1}),
        ("draw", None, {"illegal": 1}),
        ("hello", None, {"garbage": 1}),
    ],
)
def test_out_of_turn_it_may_speak_or_let_the_moment_go(
    workshop: Workshop, answer: str, move: Move | None, faults: dict[str, int]
) -> None:
    match = table(["R1 R2", "R4 R6", "B1 B2"], dealer=0)
    say(match, "1: R4")  # without UNO; seat 2 is on turn now
    bot = workshop.bot(f"view = asked(); say({answer!r} if view['to_act'] != view['you'] else 'on turn'); asked()")
    assert ask(bot, match, seat=0) == move
    assert bot.faults == Counter(faults)


# ---------------------------------------------------------------- going wrong
ENDS_IT = {
    "exits at once": ("sys.exit(3)", "crash"),
    "exits when asked": ("asked()", "crash"),
    "kills itself": ("os.kill(os.getpid(), signal.SIGKILL)", "crash"),
    "closes its output": ("os.close(1); asked(); time.sleep(600)", "crash"),
    "leaves half a move": ("asked(); sys.stdout.write('dra')", "crash"),
    "never ends a line": ("asked()\nwhile True: os.write(1, b'x' * 65536)", "too-long"),
    "ends a line late": ("asked(); os.write(1, b'x' * 65537 + b'\\n'); time.sleep(600)", "too-long"),
}


@pytest.mark.parametrize(("body", "kind"), ENDS_IT.values(), ids=ENDS_IT.keys())
def test_a_program_that_ends_without_an_answer_loses_every_move_and_is_given_up(
    workshop: Workshop, body: str, kind: str
) -> None:
    bot = workshop.bot(body)
    questions = play(bot)
    assert questions > STARTS
    assert bot.faults == {kind: STARTS, "given-up": questions - STARTS}
    assert len(workshop.started) == STARTS


HANGS = {
    "at once": "select.select([0], [], []); here(); time.sleep(600)",
    "and reads": "while True: asked(); here()",
    "after half a move": "asked(); os.write(1, b'dra'); here(); time.sleep(600)",
    "as it is stopped": "select.select([0], [], [])\nhere()\nwhile True: os.kill(os.getpid(), signal.SIGSTOP)",
}


@pytest.mark.parametrize("body", HANGS.values(), ids=HANGS.keys())
def test_a_program_that_hangs_loses_every_move_and_is_given_up(workshop: Workshop, body: str) -> None:
    bot = workshop.bot(body, A_TICK)
    with stopped_clock(workshop):
        questions = play(bot)
    assert questions > STARTS
    assert bot.faults == {"timeout": STARTS, "given-up": questions - STARTS}
    assert len(workshop.started) == STARTS


BAD_LINES = {
    "a text": (b"hello", "garbage"),
    "nothing": (b"", "garbage"),
    "a pass on turn": (b"pass", "garbage"),
    "half a card": (b"R7", "garbage"),
    "JSON": (b'{"move": "draw"}', "garbage"),
    "capitals": (b"DRAW", "garbage"),
    "two moves": (b"draw draw", "garbage"),
    "no UTF-8": (b"\xff\xfe\x00", "garbage"),
    "a null": (b"draw\0", "garbage"),
    "a long line": (b"x" * LONGEST, "garbage"),
    "a catch of itself": (b"catch 0", "illegal"),
    "a card that nobody holds": (b"R7/?", "illegal"),
    "a catch in vain, legal on and on": (b"catch 1", "illegal"),
}


@pytest.mark.parametrize(("line", "kind"), BAD_LINES.values(), ids=BAD_LINES.keys())
def test_a_bad_answer_costs_the_move_and_the_program_goes_on(workshop: Workshop, line: bytes, kind: str) -> None:
    bot = workshop.bot(f"while True:\n    asked()\n    os.write(1, {line!r} + b'\\n')")
    questions = play(bot, false_catch_penalty=1)
    on_turn = bot.faults[kind]
    assert 5 < on_turn <= questions  # out of turn, some of these are an answer
    assert bot.faults == {kind: on_turn}
    assert len(workshop.started) == 1


def test_a_crash_in_the_middle_costs_one_move_and_its_last_words_are_kept(workshop: Workshop) -> None:
    body = "for number in range(3, -1 if START == 1 else -9999, -1):\n    view = asked()\n    "
    bot = workshop.bot(body + "if START == 1: 12 // number\n    say(view['legal'][0])")
    play(bot, rounds=2)
    assert bot.faults == {"crash": 1}
    assert len(workshop.started) == 2
    assert bot.last_words.splitlines()[-1].startswith("ZeroDivisionError")


def test_a_program_that_leaves_after_some_answers_is_started_again_a_few_times(workshop: Workshop) -> None:
    bot = workshop.bot("for _ in range(2): say(asked()['legal'][0])")
    questions = play(bot, rounds=2)
    assert bot.faults == {"crash": STARTS, "given-up": questions - 3 * STARTS}
    assert len(workshop.started) == STARTS


def test_a_late_answer_is_never_taken_for_that_to_the_next_question(workshop: Workshop) -> None:
    late = "if START == 1:\n    asked(); here(); asked(); say('late')\n"  # at the second question
    bot = workshop.bot(late + "while True: asked(); say('draw')", A_TICK)
    match = Match(players=2, seed="abc")
    with stopped_clock(workshop):
        assert str(ask(bot, match)) == str(fallback(match.legal(match.to_act or 0)))
    assert bot.faults == {"timeout": 1}
    bot.seconds = NEVER
    assert str(ask(bot, match)) == "draw"
    assert bot.faults == {"timeout": 1}


def test_a_second_line_is_never_taken_for_the_answer_to_the_next_question(workshop: Workshop) -> None:
    bot = workshop.bot("while True:\n    asked()\n    say('draw\\ndraw')")
    match = Match(players=2, seed="abc")
    answers = [str(ask(bot, match)) for _ in range(4)]
    plain = str(fallback(match.legal(match.to_act or 0)))
    assert plain != "draw"
    assert answers == ["draw", plain, "draw", plain]
    assert bot.faults == {"extra": 2}


def test_a_flood_of_lines_costs_moves_only(workshop: Workshop) -> None:
    bot = workshop.named("yes draw")
    questions = play(bot)
    assert bot.faults["extra"] == STARTS
    assert bot.faults["given-up"] >= questions - 3 * STARTS
    assert set(bot.faults) <= {"extra", "given-up", "illegal"}


def test_a_flood_without_lines_takes_no_memory(workshop: Workshop) -> None:
    bot = workshop.bot("asked()\nfor _ in range(4000): os.write(1, b'x' * 65536)")
    match = Match(players=2, seed="abc")
    tracemalloc.start()
    try:
        ask(bot, match)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert bot.faults == {"too-long": 1}
    assert peak < 4_000_000


def test_a_program_may_complain_as_much_as_it_likes(workshop: Workshop) -> None:
    complain = "sys.stderr.write('y' * 200_000); sys.stderr.flush()"
    bot = workshop.bot(f"while True:\n    {complain}\n    view = asked()\n    {complain}\n    say(view['legal'][0])")
    play(bot)
    assert bot.faults == Counter()
    assert bot.last_words == "y" * 4096


def test_a_program_that_does_not_read_a_long_question_can_not_block_us() -> None:
    program = Program(["sleep", "600"])
    with ticking_clock(), pytest.raises(Fault, match="timeout"):
        program.ask(b"x" * 10_000_000, 5 * A_TICK)
    program.end()


def test_a_program_that_vanishes_meanwhile_is_a_crash(workshop: Workshop, tmp_path: Path) -> None:
    script = tmp_path / "once"
    script.write_text("#!/bin/sh\nread -r view\n")
    script.chmod(0o755)
    bot = workshop.named(str(script))
    script.unlink()
    questions = play(bot)
    assert bot.faults == {"crash": STARTS, "given-up": questions - STARTS}


# ---------------------------------------------------------------- lost moves
@pytest.mark.parametrize(
    ("legal", "move"),
    [
        ("R7/O1 R7/O2 draw", "R7/O1"),
        ("W/P5=R W/P5=G R7/O1 draw", "R7/O1"),
        ("W/P5=R W/P5=R! R7/O1 R7/O1! draw", "R7/O1!"),
        ("W/P5=R W/P5=R! draw", "W/P5=R!"),
        ("draw catch_1", "draw"),
        ("keep", "keep"),
        ("accept challenge", "accept"),
        ("color_G color_R uno", "color G"),
    ],
)
def test_for_a_lost_move_a_card_is_played_with_uno_or_else_the_plain_answer_given(legal: str, move: str) -> None:
    moves = [Move.parse(text.replace("_", " ")) for text in legal.split()]
    assert str(fallback(moves)) == move


@pytest.mark.parametrize("kind", FAULTS)
def test_every_kind_of_fault_is_documented(kind: str) -> None:
    assert f"| `{kind}` |" in (ROOT / "docs" / "programs.md").read_text(encoding="utf-8")
