"""Replays of long matches: pages, an index that is small, and a cache that is bounded."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import msgspec
import pytest

from flipdeck.core.match import Match
from flipdeck.server.http import replay_index, replays
from flipdeck.server.http.replay_index import MOVES_APART, ReplayIndex, index_record, page_of
from flipdeck.server.http.replays import Replays
from flipdeck.server.journal import StoredReplay
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.slices import finish_in_slices
from flipdeck.wire.rest import MOST_STEPS

from .journals import write_replay
from .running import running
from .steered import live
from .test_replays import finished
from .test_routes import failure


def long_match(moves: int) -> Match:
    """Two who draw more than they play; the rounds are as long as those at tables may be."""
    match, dice = Match(players=2, seed="long", options={"most_moves": 2000, "target": 500}), random.Random(3)
    said = 0
    while not match.over:
        if match.to_act is None:
            match.next_round()
        seat = match.to_act
        assert seat is not None
        legal = [str(move) for move in match.legal(seat)]
        best = [move for move in legal if move != "draw"] or legal
        draws = "draw" in legal and said < moves and dice.random() < 0.7
        match.say(seat, "draw" if draws else dice.choice(best))
        said += 1
    return match


def pages(index: ReplayIndex, number: int, seat: int | None, most: int) -> list[dict[str, Any]]:
    found, first = [], 0
    while first is not None:
        page = msgspec.json.decode(finish_in_slices(page_of(index, number, seat, first, most)))
        assert page["first"] == first
        assert 1 <= len(page["steps"]) <= most
        found.append(page)
        first = page["next"]
    return found


@pytest.mark.parametrize("most", [1, 7, MOVES_APART, MOST_STEPS])
def test_pages_are_the_whole_round_wherever_they_begin(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_index, "MOVES_APART", 10)
    match = finished("paged", players=3, hand_size=5, target=100)
    index = finish_in_slices(index_record(match.record(), []))
    for number in range(1, len(match.history) + 1):
        for seat in (None, 1):
            whole = pages(index, number, seat, 1_000_000)
            assert len(whole) == 1
            steps = [step for page in pages(index, number, seat, most) for step in page["steps"]]
            assert steps == whole[0]["steps"]
            assert len(steps) == len(match.history[number - 1].said) + 1


def test_a_long_match_takes_few_bytes_and_a_page_few_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once all steps of a round were made at once, after every move of the match before it."""
    match = long_match(6000)
    moves = sum(len(played.said) for played in match.history)
    assert moves > 6000
    held: list[int] = []
    real = Match.forget

    def forget(self: Match) -> None:
        held.append(sum(len(played.said) for played in self.history))
        real(self)

    monkeypatch.setattr(Match, "forget", forget)
    index = finish_in_slices(index_record(match.record(), []))
    assert max(held) <= MOVES_APART, "the history of the whole match is never there"
    assert index.size <= 40 * moves
    held.clear()
    last = len(match.history)
    steps = index.summary.rounds[last - 1].steps
    said = 0
    say = Match.say

    def counted(self: Match, *of: Any) -> Any:
        nonlocal said
        said += 1
        return say(self, *of)

    monkeypatch.setattr(Match, "say", counted)
    page = msgspec.json.decode(finish_in_slices(page_of(index, last, None, steps - 5, MOST_STEPS)))
    assert len(page["steps"]) == 5
    assert page["next"] is None
    assert said <= MOVES_APART + 5
    assert max(held) <= 1, "and a page holds nothing of what was before"


@live
async def test_a_long_round_comes_in_pages_and_a_short_one_whole() -> None:
    journal = MemoryJournal()
    match = long_match(1000)
    async with running(journal, messages_per_second=100_000) as server:
        await write_replay(journal, "LONG", StoredReplay("long", match.record()))
        rounds = (await server.http.get("/api/replays/long/match")).json()["rounds"]
        long = max(rounds, key=lambda each: each["steps"])
        short = min(rounds, key=lambda each: each["steps"])
        assert long["steps"] > MOST_STEPS > short["steps"]
        path = f"/api/replays/long/rounds/{long['number']}"
        told = (await server.http.get(path)).json()
        assert (len(told["steps"]), told["first"], told["next"]) == (MOST_STEPS, 0, MOST_STEPS)
        more = (await server.http.get(f"{path}?seat=1&from={told['next']}&most=3")).json()
        assert (len(more["steps"]), more["first"], more["next"]) == (3, MOST_STEPS, MOST_STEPS + 3)
        whole = (await server.http.get(f"/api/replays/long/rounds/{short['number']}")).json()
        assert (len(whole["steps"]), whole["next"]) == (short["steps"], None)
        refusals = {
            f"from={long['steps']}": (409, "not-now", "no-such-step"),
            "from=-1": (400, "bad-message", "bad-message"),
            "most=0": (400, "bad-message", "bad-message"),
            f"most={MOST_STEPS + 1}": (400, "bad-message", "bad-message"),
        }
        for query, refusal in refusals.items():
            assert failure(await server.http.get(f"{path}?{query}")) == refusal, query


@live
async def test_the_cache_has_a_bound_in_bytes_and_a_match_is_read_once_for_all_who_ask(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    journal, reads = MemoryJournal(), []
    real = index_record

    def noted(*of: Any) -> Any:
        reads.append(of)
        return real(*of)

    monkeypatch.setattr(replays, "index_record", noted)
    async with running(journal) as server:
        shelf = Replays(server.app.lobby)
        for number in range(6):
            record = finished(f"cached {number}", scoring="quick").record()
            await write_replay(journal, f"T{number}", StoredReplay(f"match{number}", record))
            if number == 1:
                monkeypatch.setattr(shelf._indexes, "most", 4 * shelf.bytes_cached)
            await asyncio.gather(*(shelf.match(f"match{number}", f"10.0.0.{each}") for each in range(5)))
            assert shelf.bytes_cached <= shelf._indexes.most
        assert len(reads) == 6


@live
async def test_more_requests_than_can_wait_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    journal = MemoryJournal()
    monkeypatch.setattr(replays, "MOST_WAITING", 3)
    async with running(journal) as server:
        await write_replay(journal, "OVER", StoredReplay("over", finished("many", scoring="quick").record()))
        shelf = Replays(server.app.lobby)
        await shelf.match("over", "10.0.0.1")
        asking = [shelf.round("over", 1, None, 0, MOST_STEPS, f"10.0.1.{each}") for each in range(8)]
        answers = await asyncio.gather(*asking, return_exceptions=True)
        assert all(isinstance(answer, bytes) for answer in answers[:3])
        later = await asyncio.gather(
            *(shelf.round("over", 1, None, 0, MOST_STEPS, f"10.0.2.{each}") for each in range(2)),
            return_exceptions=True,
        )
        assert all(isinstance(answer, bytes) for answer in later), "when they have been served, others are"
