"""The pause before a card that can only be kept is kept."""

from __future__ import annotations

import inspect
from random import Random

from flipdeck.cli.terminal.hesitation import LONGEST, SHORTEST, USUAL, Hesitation


def test_the_pause_is_human_and_never_the_same() -> None:
    hesitation = Hesitation(Random(1))
    pauses = sorted(hesitation.seconds() for _ in range(1001))
    assert pauses[0] >= SHORTEST
    assert pauses[-1] <= LONGEST
    assert abs(pauses[500] - USUAL) < 0.1
    assert len(set(pauses)) > 900


def test_the_pause_is_waited_for_once() -> None:
    slept: list[float] = []
    Hesitation(Random(2), slept.append)()
    assert slept == [Hesitation(Random(2)).seconds()]


def test_nothing_about_the_card_can_be_told_to_it() -> None:
    assert list(inspect.signature(Hesitation(Random(3))).parameters) == []
