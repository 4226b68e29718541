"""What becomes of a drawn card: told in one sentence, and kept without a question if it can only be kept."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import pytest

from flipdeck.cli.play import TerminalMatch
from flipdeck.cli.terminal.choices import can_only_keep, choices_of
from flipdeck.cli.terminal.console import Console
from flipdeck.cli.terminal.narration import Teller
from flipdeck.cli.terminal.opponents import Opponents
from flipdeck.cli.terminal.telling import Telling
from flipdeck.core.match import Match
from flipdeck.core.notation import Move
from flipdeck.i18n import LANGUAGES, catalogue
from tests.cli.terminal import Terminal, terminal
from tests.tables import say, table

__all__ = ["terminal"]  # a fixture

NAMES = ["Ada", "Ben", "Cleo"]


# ---------------------------------------------------------------- the sentences
def told(match: Match, *said: str, you: int | None = 0) -> list[str]:
    """What a seat is told of what others and it say; a draw that waits for its word is told at the end."""
    out = io.StringIO()
    telling = Telling(Console(io.StringIO(), out), Teller(catalogue("en"), you, NAMES))
    for line in said:
        telling.tell(match.seen(say(match, line), you))
    telling.flush()
    return out.getvalue().splitlines()


def test_a_draw_that_is_kept_is_one_sentence() -> None:
    match = table(["B2 B3", "G5 G6"], top="R5", draw="R9/P9 Y8/V8")
    assert told(match, "0: draw", "0: keep", "1: draw", "1: keep") == [
        "You drew red 9 (pink 9) and kept it.",
        "Ben drew a card and kept it.",
    ]


def test_whether_a_kept_card_fits_makes_no_difference_to_others() -> None:
    for you in (1, None):
        for drawn in ("R9/P9", "Y9/P9"):
            match = table(["B2 B3", "G5 G6"], top="R5", draw=drawn)
            assert told(match, "0: draw", "0: keep", you=you) == ["Ada drew a card and kept it."]


def test_a_draw_that_is_played_is_told_before_the_play() -> None:
    match = table(["B2 B3", "G5 G6"], top="R5", draw="R9/P9")
    assert told(match, "0: draw", "0: R9", you=1) == ["Ada drew a card.", "Ada played red 9."]


def test_a_draw_does_not_wait_for_its_word_when_something_else_happens() -> None:
    match = table(["B2 B3", "Y5 Y6", "R7 G6"], top="R5", dealer=1, edition="argentina")
    assert told(match, "2: R7", "0: draw", "1: catch 2", "0: keep", you=1)[:4] == [
        "Cleo played red 7.",
        "Ada drew a card.",
        "You caught Cleo without UNO.",
        "Cleo drew 2 cards.",
    ]


def test_several_cards_are_kept_together() -> None:
    match = table(["B2 B3", "G5 G6"], top="R5", draw="Y8 Y9 R9", draw_until_playable=True)
    assert told(match, "0: draw", "0: keep", you=1) == ["Ada drew 3 cards and kept them."]


# ---------------------------------------------------------------- a card that can only be kept
class Typed(io.StringIO):
    """Lines that come from a terminal."""

    def isatty(self) -> bool:
        return True


@dataclass
class TerminalRun:
    """A match in which Ada, in seat 0, types these lines; it stops when there are no more of them."""

    match: Match
    lines: Iterable[str]
    at_a_terminal: bool = True
    asks: bool = False
    language: str = "en"
    out: io.StringIO = field(default_factory=io.StringIO)
    pauses: list[str] = field(default_factory=list)

    def lines_told(self) -> list[str]:
        words = catalogue(self.language)
        typed = "".join(f"{line}\n" for line in self.lines)
        console = Console(Typed(typed) if self.at_a_terminal else io.StringIO(typed), self.out)
        hesitate: Callable[[], None] | None = None if self.asks else lambda: self.pauses.append(self.out.getvalue())
        with Opponents(["rookie"] * (self.match.players - 1), words) as opponents:
            TerminalMatch(self.match, Teller(words, 0, NAMES), console, opponents, None, hesitate).play()
        return self.out.getvalue().splitlines()


def nothing_fits() -> Match:
    return table(["B2 B3", "G5 G6"], top="R5", draw="Y9/P9")


KEPT = "You drew yellow 9 (pink 9). It does not fit, so you keep it."


def said_by(match: Match, seat: int) -> list[Move]:
    return [said.move for said in match.history[0].said if said.seat == seat]


def test_a_card_that_can_only_be_kept_is_kept_by_itself_after_a_pause() -> None:
    played = TerminalRun(nothing_fits(), ["1", "quit"])
    lines = played.lines_told()
    assert lines.count(KEPT) == 1
    assert not any(line.startswith("You kept") for line in lines)
    assert [str(move) for move in said_by(played.match, 0)][:2] == ["draw", "keep"]
    (before,) = played.pauses
    assert before.endswith(f"{KEPT}\n"), "the card is shown first, then comes the pause"


def test_piped_input_is_neither_waited_for_nor_used_up() -> None:
    played = TerminalRun(nothing_fits(), ["1", "help", "quit"], at_a_terminal=False)
    lines = played.lines_told()
    assert played.pauses == []
    assert lines.count(KEPT) == 1
    at_help = [number for number, line in enumerate(lines) if line.startswith("Type the number of a choice.")]
    assert len(at_help) == 1
    assert lines.index(KEPT) < at_help[0]


def test_who_asks_for_it_is_asked_always() -> None:
    played = TerminalRun(nothing_fits(), ["1", "1", "quit"], asks=True)
    lines = played.lines_told()
    assert KEPT not in lines
    at = lines.index("You drew yellow 9 (pink 9).")
    assert "The card you drew does not fit." in lines[at:]
    assert "1. Keep the card" in lines[at:]
    assert "You kept the card." in lines[at:]


def test_a_card_that_fits_is_asked_about() -> None:
    played = TerminalRun(table(["B2 B3", "G5 G6"], top="R5", draw="R9/P9"), ["1", "2", "quit"])
    lines = played.lines_told()
    assert played.pauses == []
    assert lines.count("You drew red 9 (pink 9).") == 1
    assert "You can play the card you drew." in lines
    assert "You kept the card." in lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pause_is_the_same_whatever_else_may_be_said_in_vain(language: str) -> None:
    match = table(["B2 B3", "G5 G6"], top="R5", draw="Y9/P9", false_catch_penalty=1)
    played = TerminalRun(match, ["1", "quit"], language=language)
    played.lines_told()
    assert len(played.pauses) == 1


def test_who_could_catch_somebody_is_asked() -> None:
    match = table(["B2 B3", "R7 G6"], top="R5", dealer=0, draw="Y9/P9", edition="argentina")
    say(match, "1: R7", "0: draw")
    assert not can_only_keep(match.view(0))
    say(match, "0: catch 1")
    assert can_only_keep(match.view(0))
    assert not can_only_keep(match.view(1))


# ---------------------------------------------------------------- the end of a round
def test_the_hands_are_laid_open_at_the_end(terminal: Terminal) -> None:
    arguments = ("--text", "--watch", "--players", "3", "--seed", "open", "--option", "scoring=quick", "--lang", "en")
    lines = terminal("play", *arguments).lines
    out = next(number for number, line in enumerate(lines) if line.endswith(" went out."))
    held = lines[out + 1 : out + 3]
    assert all(" still held " in line and "(" in line for line in held)
    assert lines[out + 3].endswith(" won the match.")


def test_a_pass_is_offered_as_a_pass() -> None:
    view = nothing_fits().view(0)
    words = Teller(catalogue("en"), 0, NAMES)
    assert "1. Draw a card" in words.offer(view, choices_of(view))
    nothing_left = replace(view, draw_count=0, discard_count=1)
    assert "1. Pass: there is nothing left to draw" in words.offer(nothing_left, choices_of(nothing_left))
    to_be_shuffled = replace(view, draw_count=0, discard_count=2)
    assert "1. Draw a card" in words.offer(to_be_shuffled, choices_of(to_be_shuffled))
