"""Bots that think in this process, and what any thinker remembers of what its seat was shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from flipdeck.bots.belief.memory import Memory
from flipdeck.bots.player import BotPlayer
from flipdeck.bots.registry import bot_named
from flipdeck.core.match import Match
from flipdeck.core.notation import Draw, Keep, Move
from flipdeck.server.default_move import default_move
from flipdeck.server.thinkers.inline import InlineThinkers
from flipdeck.server.thinkers.memories import BOTS, Memories
from tests.random_matches import random_table
from tests.server.asking import Desk

LADDER = ("rookie", "casual", "regular")


def dice_of(who: str) -> Random:
    return Random(who)


def desk(seed: str = "abc", level: str = "regular", players: int = 3) -> Desk:
    return Desk(Match(players=players, seed=seed, options={"target": 100}), [level] * players)


def record_with(seed: int | str, room: int = 2_000) -> str:
    table = Desk(Match(players=3, seed="the same cards", options={"target": 100}), LADDER)
    asyncio.run(table.play(InlineThinkers(seed, room)))
    return table.match.record()


# ---------------------------------------------------------------- whole matches
def test_three_bots_play_a_match_to_its_end() -> None:
    thinkers = InlineThinkers("any")
    table = Desk(Match(players=3, seed="abc", options={"target": 200, "jump_in": True}), LADDER)
    asyncio.run(table.play(thinkers))
    assert table.match.over
    assert thinkers.failures == 0


def test_the_same_seed_gives_the_same_match_and_another_another() -> None:
    assert record_with(1) == record_with(1) != record_with(2)


def test_it_says_what_a_player_with_its_dice_says() -> None:
    table, thinkers = desk(), InlineThinkers(7)
    options = table.match.options
    players = [BotPlayer(bot_named("regular"), seat, 3, options, Random(f"7/table/{seat}")) for seat in range(3)]
    assert asyncio.run(table.play_beside(thinkers, players)) > 10


def test_bots_that_forget_nearly_all_play_on_at_any_table() -> None:
    """There is room for one: nearly every question meets a bot that comes late."""
    dice = Random("forgetful")
    thinkers = InlineThinkers("any", room=1)
    for number in range(8):
        match = random_table(dice).match()
        levels = [dice.choice(LADDER) for _ in range(match.players)]
        asyncio.run(Desk(match, levels, f"table {number}").play(thinkers, rounds=1))
    assert thinkers.failures == 0


# ---------------------------------------------------------------- what it remembers
class Seen:
    """Counts what players see, in the place of their memory."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.views: list[object] = []
        see = Memory.see

        def noted(memory: Memory, events: object, view: object) -> None:
            self.views.append(view)
            see(memory, events, view)  # type: ignore[arg-type]

        monkeypatch.setattr(Memory, "see", noted)

    def since(self) -> list[object]:
        views, self.views = self.views, []
        return views


def draw_and_keep(table: Desk, turns: int) -> None:
    for _ in range(turns):
        seat = table.on_turn
        table.say(seat, Draw())
        if Keep() in table.match.view(seat).legal:
            table.say(seat, Keep())


def test_all_that_is_new_is_seen_once_and_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    table, memories, seen = desk(), Memories(dice_of), Seen(monkeypatch)
    everything: list[object] = []
    for turns in (0, 2, 1, 3):
        draw_and_keep(table, turns)
        question = table.question(0)
        everything = everything[: question.first] + [shown.view for shown in question.shown]
        memories.answer(question)
    assert seen.since() == everything
    assert len(everything) > 6


def test_what_came_with_an_earlier_question_is_not_seen_again(monkeypatch: pytest.MonkeyPatch) -> None:
    table, memories, seen = desk(), Memories(dice_of), Seen(monkeypatch)
    question = table.question(0)
    memories.answer(question)
    draw_and_keep(table, 2)
    more = table.question(0)
    seen.since()
    memories.answer(replace(more, first=0, shown=(*question.shown, *more.shown)))
    assert seen.since() == [shown.view for shown in more.shown]
    memories.answer(more)
    assert seen.since() == [], "asked once more, it has seen it all"


def forget_it(memories: Memories) -> None:
    memories.forget("table/0")


def lead_it_on(memories: Memories) -> None:
    """It believes to have seen more than there was, as after a question of another match by mistake."""
    memories._memories["table/0"].seen = 1000


@pytest.mark.parametrize("lose", [forget_it, lead_it_on])
def test_who_lacks_something_begins_with_the_present(
    lose: Callable[[Memories], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, memories = desk(), Memories(dice_of)
    memories.answer(table.question(0))
    draw_and_keep(table, 4)
    lose(memories)
    seen = Seen(monkeypatch)
    question = table.question(0)
    assert len(question.shown) > 1
    memories.answer(question)
    assert seen.since() == [question.shown[-1].view]
    draw_and_keep(table, 2)
    question = table.question(0)
    memories.answer(question)
    assert seen.since() == [shown.view for shown in question.shown], "and goes on from there"


def test_a_gap_is_a_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    table, memories = desk(), Memories(dice_of)
    memories.answer(table.question(0))
    draw_and_keep(table, 4)
    seen, question = Seen(monkeypatch), table.question(0)
    question = replace(question, first=question.first + 2, shown=question.shown[2:])
    assert len(question.shown) > 1
    memories.answer(question)
    assert seen.since() == [question.shown[-1].view]


def test_who_was_asked_longest_ago_is_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    table, memories = desk(), Memories(dice_of, room=2)
    for seat in (0, 1, 0, 2):
        memories.answer(table.question(seat))
    assert list(memories._memories) == ["table/0", "table/2"]
    draw_and_keep(table, 4)
    seen = Seen(monkeypatch)
    for seat, number in ((0, len(table.shown[0]) - table.asked[0]), (1, 1)):
        memories.answer(table.question(seat))
        assert len(seen.since()) == number


def test_one_bot_serves_all_seats_of_its_level_and_kinds_are_bounded() -> None:
    memories = Memories(dice_of)
    table = desk()
    for seat in range(3):
        memories.answer(table.question(seat))
    assert len(memories._bots) == 1
    for number in range(BOTS + 5):
        memories._bot(f"master:{number + 1}worlds", 2)
    assert len(memories._bots) == BOTS


def test_a_level_can_change_in_the_middle_and_the_memory_stays() -> None:
    table, memories = desk(), Memories(dice_of)
    memories.answer(table.question(0, "rookie"))
    memory = memories._memories["table/0"].player.memory
    draw_and_keep(table, 2)
    memories.answer(table.question(0, "regular"))
    player = memories._memories["table/0"].player
    assert (player.memory, player.bot.name) == (memory, "regular")


# ---------------------------------------------------------------- what goes wrong
class Wrong:
    name = "wrong"

    def __init__(self, move: Move | None) -> None:
        self.move = move

    def choose(self, *_: object) -> Move | None:
        return self.move

    interrupt = choose

    def close(self) -> None:
        pass


def raised(*_: object) -> Move:
    raise RuntimeError("lost my cards")


@pytest.mark.parametrize("move", [None, Keep()])
def test_an_answer_that_is_not_legal_is_replaced(move: Move | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flipdeck.server.thinkers.memories.bot_named", lambda _: Wrong(move))
    thinkers, table = InlineThinkers(), desk()
    question = table.question()
    assert asyncio.run(thinkers.ask(question)).move == default_move(question.shown[-1].view)
    assert thinkers.failures == 1


def test_a_bot_that_fails_is_replaced_and_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    thinkers, table = InlineThinkers(), desk()
    with monkeypatch.context() as patch:
        patch.setattr(BotPlayer, "answer", raised)
        question = table.question()
        assert asyncio.run(thinkers.ask(question)).move == default_move(question.shown[-1].view)
        others = table.question((table.on_turn + 1) % 3)
        assert asyncio.run(thinkers.ask(others)).move is None
    assert thinkers.failures == 2
    asyncio.run(table.play(thinkers, rounds=1))
    assert thinkers.failures == 2


def test_programs_and_unknown_levels_are_not_let_in() -> None:
    thinkers, table = InlineThinkers(), desk()
    for level in ("cmd:true", "nobody"):
        assert asyncio.run(thinkers.ask(table.question(None, level))).move == Draw()
    assert thinkers.failures == 2
