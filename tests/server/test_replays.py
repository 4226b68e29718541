"""A match that is over, looked at again: every seat sees what it saw, and nobody sees a match that goes on."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable
from typing import Any

import httpx
import msgspec
import pytest

from flipdeck.core.cards import Card, Side
from flipdeck.core.match import Match
from flipdeck.core.reading import card_named
from flipdeck.core.record import parse
from flipdeck.server.http import replays
from flipdeck.server.http.replay_index import ReplayIndex, index_record, page_of
from flipdeck.server.http.replays import Replays
from flipdeck.server.identity import new_replay_name
from flipdeck.server.journal import ReplayPlayer, StoredReplay
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.slices import SlicedWork, finish_in_slices
from flipdeck.wire import rest
from tests.patience import HANG
from tests.random_matches import play_round
from tests.server.journals import write_replay
from tests.server.running import Client, Running, eventually, play, run, running
from tests.server.steered import live, steered_loop
from tests.server.test_routes import failure

SHORT = {"target": 60, "hand_size": 3}


def read(record: str) -> ReplayIndex:
    return finish_in_slices(index_record(record, []))


def play_again(index: ReplayIndex, number: int, seat: int | None) -> rest.ReplayRound:
    return msgspec.json.decode(finish_in_slices(page_of(index, number, seat, 0, 1_000_000)), type=rest.ReplayRound)


def finished(seed: str, edition: str = "classic", players: int = 2, **options: object) -> Match:
    match, dice = Match(edition, players, seed=seed, options=options), random.Random(seed)
    play_round(match, dice, eager=True)
    while not match.over:
        match.next_round()
        play_round(match, dice, eager=True)
    return match


async def played_out(server: Running, seed: int, people: int = 3, **settings: Any) -> tuple[str, list[Client]]:
    """The name of the replay of a match, those who played it, and last one who looked on, where the table lets them."""
    host = await server.make(seats=people, **settings)
    code = host["code"]
    tokens = [host["token"], *[(await server.join(code, f"Guest {n}"))["token"] for n in range(1, people)]]
    clients = [await server.greet(code, token) for token in tokens]
    everybody = [*clients, *([await server.greet(code)] if server.table(code).state.settings.watchers else [])]
    dice = random.Random(seed)
    while clients[0].table["phase"] != "over":
        await play(clients, 1, dice)
        for each in everybody:
            await each.up_to(server.table(code).state.version)
    return clients[0].table["replay"], everybody


def lived(client: Client) -> list[tuple[Any, Any]]:
    """What happened in the game while they watched, and how it looked then."""
    return [(told["events"], told["view"]) for told in client.told if told["type"] == "update" and told["events"]]


async def looked_at(server: Running, name: str, seat: int | None) -> list[dict[str, Any]]:
    """Every step of every round."""
    match = (await server.http.get(f"/api/replays/{name}/match")).json()
    steps = []
    for about in match["rounds"]:
        path = f"/api/replays/{name}/rounds/{about['number']}" + ("" if seat is None else f"?seat={seat}")
        answer = await server.http.get(path)
        assert answer.status_code == 200, answer.text
        told = answer.json()
        assert (told["number"], told["seat"], len(told["steps"])) == (about["number"], seat, about["steps"])
        steps += told["steps"]
    return steps


@pytest.mark.parametrize("own_backs", ["shown", "hidden"])
@live
async def test_every_seat_sees_again_what_it_saw_at_the_table(own_backs: str) -> None:
    async with running(messages_per_second=100_000) as server:
        name, clients = await played_out(server, 5, options={**SHORT, "own_backs": own_backs})
        for seat, client in enumerate(clients[:3]):
            again = await looked_at(server, name, seat)
            assert [(step["events"], step["view"]) for step in again] == lived(client)
            assert all(step["hands"] is None for step in again)


@live
async def test_an_open_replay_is_the_view_of_who_looks_on_with_every_hand_beside_it() -> None:
    async with running(messages_per_second=100_000) as server:
        name, (*clients, watcher) = await played_out(server, 6, options=SHORT)
        steps = await looked_at(server, name, None)
        assert [step["view"] for step in steps] == [view for _, view in lived(watcher)]
        for seat, client in enumerate(clients):
            hands = [view["hand"] for _, view in lived(client)]
            assert [step["hands"][seat] for step in steps] == hands
        assert [step["seat"] for step in steps if step["move"] is None] == [None] * len(watcher.table["rounds"])
        drawn = [e["card"] for step in steps for e in step["events"] if e["event"] == "drew"]
        assert drawn
        assert not any("?" in card for card in drawn)


@pytest.mark.parametrize("seat", [0, 2, None])
def test_a_dealer_who_was_named_and_a_deck_that_was_laid_are_those_of_the_replay(seat: int | None) -> None:
    deck = Match(players=3, seed="laid", options={"pairing": "printed"})._game
    cards = [card_named(deck, card) for card in range(deck.deck)]
    match = Match("mild-wild", 3, seed="named", dealer=2, deck=cards, options={"hand_size": 3, "most_moves": 2000})
    play_round(match, random.Random(1), eager=True)
    script = read(match.record())
    assert script.summary.options == {"hand_size": 3}, "the limit of moves is no house rule"
    steps = play_again(script, 1, seat).steps
    played = match.history[0]
    assert steps[0].view.dealer == script.summary.rounds[0].dealer == 2
    for step, events in zip(steps, [played.dealt, *(said.events for said in played.said)], strict=True):
        seen = events if seat is None else match.seen(events, seat)
        assert msgspec.to_builtins(step.events) == [event.to_dict() for event in seen]


@live
async def test_what_is_told_of_the_match_is_what_the_table_told() -> None:
    async with running(messages_per_second=100_000) as server:
        name, clients = await played_out(server, 7, edition="splash", options=SHORT)
        match = (await server.http.get(f"/api/replays/{name}/match")).json()
        table = clients[0].table
        assert match["names"] == ["Ana", "Guest 1", "Guest 2"]
        assert match["levels"] == [None, None, None]
        assert (match["edition"], match["options"], match["players"]) == ("splash", SHORT, 3)
        assert {"commitment": match["commitment"], "seed": match["seed"]}.items() <= table["fairness"].items()
        assert clients[0].view is not None
        assert match["winners"] == clients[0].view["winners"]
        ends = [{name: each[name] for name in ("number", "winner", "points", "scores")} for each in match["rounds"]]
        assert ends == table["rounds"]


@live
async def test_nothing_can_be_had_of_a_match_that_goes_on() -> None:
    async with running(messages_per_second=100_000) as server:
        code, _, clients = await server.seated(2, options={"target": 5000, "hand_size": 2})
        name = server.table(code).state.replay
        dice = random.Random(8)
        while len(clients[0].table["rounds"]) < 2:  # rounds that are over are no exception
            await play(clients, 1, dice)
            await clients[0].up_to(server.table(code).state.version)
        for path in ("match", "rounds/1", "rounds/1?seat=0", "rounds/2?seat=1"):
            answer = await server.http.get(f"/api/replays/{name}/{path}")
            assert failure(answer) == (404, "no-replay", "no-replay")


@live
async def test_rounds_and_seats_that_were_not_there_are_refused() -> None:
    async with running(messages_per_second=100_000) as server:
        name, _ = await played_out(server, 9, people=2, options={"scoring": "quick", "hand_size": 2})
        refusals = {
            "rounds/0": (409, "not-now", "no-such-round"),
            "rounds/2": (409, "not-now", "no-such-round"),
            "rounds/-1": (409, "not-now", "no-such-round"),
            "rounds/1?seat=2": (409, "not-now", "no-such-seat"),
            "rounds/1?seat=10": (400, "bad-message", "bad-message"),
            "rounds/1?seat=-1": (400, "bad-message", "bad-message"),
            "rounds/1?seat=me": (400, "bad-message", "bad-message"),
            "rounds/one": (404, "no-such-path", "no-such-path"),
        }
        for path, refusal in refusals.items():
            assert failure(await server.http.get(f"/api/replays/{name}/{path}")) == refusal, path


@live
async def test_guessing_names_and_asking_without_end_are_slowed_down() -> None:
    async with running(messages_per_second=100_000) as server:
        name, _ = await played_out(server, 10, people=2, options={"scoring": "quick", "hand_size": 2})
        steered_loop().stop_clock()
        answers = [await server.http.get(f"/api/replays/{name}/match") for _ in range(20)]
        assert {answer.status_code for answer in answers} == {200}
        assert failure(await until_refused(server, lambda: f"{name}/match")) == (429, "too-fast", "too-fast")
    async with running() as server:
        steered_loop().stop_clock()
        assert failure(await server.http.get(f"/api/replays/{new_replay_name()}/match"))[0] == 404
        slowed = await until_refused(server, lambda: f"{new_replay_name()}/rounds/1")
        assert failure(slowed) == (429, "too-fast", "too-fast")


async def until_refused(server: Running, path: Callable[[], str]) -> httpx.Response:
    for _ in range(1000):
        answer = await server.http.get(f"/api/replays/{path()}")
        if answer.status_code == 429:
            return answer
    raise AssertionError("it is never too fast")


@live
async def test_a_match_too_long_to_show_still_has_its_record(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(messages_per_second=100_000) as server:
        name, _ = await played_out(server, 11, people=2, options={"scoring": "quick", "hand_size": 2})
        record = (await server.http.get(f"/api/replays/{name}")).text
        monkeypatch.setattr(replays, "LONGEST", len(record) - 1)
        answer = await server.http.get(f"/api/replays/{name}/match")
        assert failure(answer) == (409, "not-now", "too-long")
        assert parse(record).over


@live
async def test_of_the_matches_read_the_one_not_asked_for_the_longest_is_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    journal = MemoryJournal()
    records = [finished(f"kept {n}", scoring="quick").record() for n in range(3)]
    monkeypatch.setattr(replays, "MOST_CACHED", sum(read(record).size for record in records) - 1)
    async with running(journal, messages_per_second=100_000) as server:
        for n, record in enumerate(records):
            await write_replay(journal, f"T{n}", StoredReplay(f"match{n}", record))
        reads: list[str] = []

        def noted(record: str, players: list[ReplayPlayer]) -> SlicedWork[ReplayIndex]:
            reads.append(record)
            return index_record(record, players)

        monkeypatch.setattr(replays, "index_record", noted)
        for n in (0, 1, 0, 2, 0, 1):
            assert (await server.http.get(f"/api/replays/match{n}/match")).status_code == 200
        assert [records.index(record) for record in reads] == [0, 1, 2, 1]


@live
async def test_indexes_of_eight_megabytes_are_kept_and_no_more() -> None:
    class Megabyte:
        size = 1_000_000

    async with running() as server:
        shelf = Replays(server.app.lobby)
        for count in range(1, 11):
            shelf._indexes[f"match{count}"] = Megabyte()  # type: ignore[assignment]
            assert shelf.bytes_cached == 1_000_000 * min(count, 8)
        assert [*shelf._indexes] == [f"match{count}" for count in range(3, 11)]


@pytest.mark.parametrize("edition", ["classic", "splash", "argentina", "mild-wild"])
def test_open_hands_are_whole_cards_and_agree_with_what_each_seat_shows(edition: str) -> None:
    match = finished(f"open {edition}", edition, 4, hand_size=5, target=100)
    script = read(match.record())
    for number in range(1, len(match.history) + 1):
        opened = play_again(script, number, None).steps
        for seat in range(4):
            seen = play_again(script, number, seat).steps
            for one, other in zip(opened, seen, strict=True):
                assert one.hands is not None
                assert one.hands[seat] == other.view.hand
                backs = {each.seat: each.backs for each in other.view.others}
                inactive = Side(other.view.side).other
                for neighbor, hand in enumerate(one.hands):
                    if neighbor != seat:
                        assert backs[neighbor] == [str(Card.parse(card).face(inactive)) for card in hand]


@pytest.mark.parametrize("work", ["index_record", "page_of"])
def test_a_replay_that_somebody_watches_holds_up_nobody_at_a_table(work: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table plays on while the replay is being made: on the loop, neither would ever end."""
    at_work, go_on = threading.Event(), threading.Event()
    real = getattr(replays, work)

    def held(*of: Any) -> SlicedWork[Any]:
        yield
        at_work.set()
        assert go_on.wait(HANG)
        return (yield from real(*of))

    monkeypatch.setattr(replays, work, held)

    async def story() -> None:
        journal = MemoryJournal()
        async with running(journal, messages_per_second=100_000) as server:
            record = finished("long", players=4, target=300).record()
            await write_replay(journal, "OVER", StoredReplay("long", record))
            _, _, clients = await server.seated(2)
            looks = [asyncio.create_task(server.http.get("/api/replays/long/rounds/1")) for _ in range(8)]
            await eventually(at_work.is_set)
            assert await play(clients, 30, random.Random(12)) == 30
            assert not any(look.done() for look in looks)
            go_on.set()
            answers = await asyncio.gather(*looks)
            assert {answer.status_code for answer in answers} == {200}

    run(story())
