"""Bots take turns to be asked: by tables, those that need no search first, and nobody waits for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from flipdeck.bots.registry import INSTEAD
from flipdeck.server.thinkers.port import Question
from flipdeck.server.thinkers.queue import LONGEST_WAIT, PendingQuestion, QuestionQueue
from flipdeck.wire.parts import Substitute
from tests.server.asking import desk


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    made = asyncio.new_event_loop()
    yield made
    made.close()


class Asker:
    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.turns = QuestionQueue()
        self._loop = loop
        self._question = desk().question()
        self._number = 0

    def ask(self, who: str, level: str = "rookie", at: float = 0.0) -> PendingQuestion:
        self._number += 1
        shown = self._question
        question = Question(who, level, shown.players, shown.options, shown.first, shown.shown)
        asked = PendingQuestion(self._number, question, at, self._loop.create_future())
        self.turns.add(asked)
        return asked

    def order(self, now: float = 0.0) -> list[str]:
        return [asked.question.who for asked in iter(lambda: self.turns.next(now), None)]


@pytest.fixture
def asking(loop: asyncio.AbstractEventLoop) -> Asker:
    return Asker(loop)


def test_tables_take_turns_however_many_bots_each_has(asking: Asker) -> None:
    for who in ("a/1/0", "a/1/1", "a/1/2", "b/1/0", "a/1/3", "c/1/5", "b/1/1"):
        asking.ask(who)
    assert asking.order() == ["a/1/0", "b/1/0", "c/1/5", "a/1/1", "b/1/1", "a/1/2", "a/1/3"]


def test_those_who_need_no_search_go_first(asking: Asker) -> None:
    for number in range(200):
        asking.ask(f"greedy{number}/1/0", "master")
    asking.ask("small/1/1", "rookie")
    assert asking.order()[0] == "small/1/1"


def test_who_waits_too_long_for_a_search_is_asked_as_a_plainer_bot_and_in_its_turn(asking: Asker) -> None:
    late = asking.ask("a/1/0", "master", at=0.0)
    soon = asking.ask("b/1/0", "master", at=1.5)
    for number in range(3):
        asking.ask(f"{number}/1/0", "rookie", at=1.6)
    assert asking.order(LONGEST_WAIT + 0.1) == ["0/1/0", "1/1/0", "2/1/0", "a/1/0", "b/1/0"]
    assert (late.question.level, soon.question.level) == (INSTEAD, "master")
    assert (late.substitute, soon.substitute) == (Substitute("regular", "busy"), None)


def test_the_same_questions_in_the_same_time_get_the_same_levels(asking: Asker) -> None:
    def story(one: Asker) -> list[tuple[str, str]]:
        for number in range(6):
            one.ask(f"{number % 2}/1/{number}", "master", at=number / 2)
        told = []
        for now in (1.0, 2.2, 2.6, 4.0, 4.5, 9.0):
            asked = one.turns.next(now)
            assert asked is not None
            told.append((asked.question.who, asked.question.level))
        return told

    first = story(asking)
    assert first == story(asking)
    assert {level for _, level in first} == {"master", INSTEAD}


def test_whom_nobody_waits_for_any_more_is_left_out_and_not_kept(asking: Asker) -> None:
    gone = [asking.ask("a/1/0"), asking.ask("b/1/0", "master")]
    stays = asking.ask("c/1/0", "master")
    for asked in gone:
        asked.answer.cancel()
    asking.turns.tidy()
    assert [asked.question.who for asked in asking.turns] == ["c/1/0"]
    other = asking.ask("d/1/0")
    other.answer.cancel()
    assert asking.order(LONGEST_WAIT + 1) == ["c/1/0"]
    assert [asked.substitute for asked in (*gone, other)] == [None] * 3
    assert stays.substitute
    assert not list(asking.turns)


def test_what_was_asked_when_a_worker_was_lost_is_asked_first(asking: Asker) -> None:
    first = asking.ask("a/1/0", "master")
    assert asking.turns.next(0.0) is first
    asking.ask("b/1/0")
    asking.turns.add_again(first)
    assert asking.order(100.0) == ["a/1/0", "b/1/0"]
    assert first.question.level == "master", "it has waited, but not for its turn"
