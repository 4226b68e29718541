"""Whose seat it is: a token plays its own seat and no other, and whoever has none changes nothing."""

from __future__ import annotations

import json
import random

import pytest

from flipdeck.server.identity import new_token
from tests.server.running import Client, Message, Running, eventually, fingerprint, play, running
from tests.server.steered import live

SEATS = 4
COMMANDS: list[tuple[str, Message]] = [
    ("start", {}),
    ("seat_bot", {"seat": 1}),
    ("clear_seat", {"seat": 1}),
    ("ready", {}),
    ("back", {}),
    ("leave", {}),
    ("rematch", {}),
    ("transfer", {}),
]


def hands(table_of: Running, code: str) -> list[list[str]]:
    match = table_of.table(code).state.match
    assert match is not None
    return [[str(card) for card in match.view(seat).hand] for seat in range(SEATS)]


@live
async def test_every_token_sees_the_hand_of_its_own_seat_only() -> None:
    async with running() as server:
        code, tokens, clients = await server.seated(SEATS)
        dealt = hands(server, code)
        for seat, token in enumerate(tokens):
            again = await server.greet(code, token, have=0)
            assert again.view is not None
            assert (again.told[0]["you"], again.view["you"], again.view["hand"]) == (seat, seat, dealt[seat])
            missed = [event for step in again.told[0]["missed"] for event in step["events"]]
            open_to_all = {event.get("card") for event in missed}  # a card that was turned up may have a twin
            told = json.dumps(again.told[0])
            for other in {card for hand in dealt for card in hand} - set(dealt[seat]) - open_to_all:
                assert f'"{other}"' not in told
        assert {await client.end() for client in clients} == {("replaced", 4000)}


@live
async def test_no_token_moves_for_another_seat() -> None:
    """Whoever is on turn, and whatever may be played there: only the token of that seat can do it."""
    async with running(messages_per_second=100_000) as server:
        code, _, clients = await server.seated(SEATS)
        for _ in range(2 * SEATS):
            actor = next(client for client in clients if client.on_turn)
            assert actor.view is not None
            before = fingerprint(server.table(code))
            for other in clients:
                if other is not actor:
                    await _fail_with_all(other, actor)
            assert fingerprint(server.table(code)) == before
            assert await play(clients, 1, random.Random(1)) == 1
            assert fingerprint(server.table(code)) != before
            for client in clients:
                await client.up_to(server.table(code).state.version)


async def _fail_with_all(other: Client, actor: Client) -> None:
    assert actor.view is not None
    for move in actor.view["legal"]:
        answer = await other.command("move", version=actor.version, move=move)
        assert (answer["type"], answer["code"]) == ("refused", "not-your-turn")
        spoofed = {"type": "move", "cmd_id": "spoof", "version": actor.version, "move": move}
        for field in ("seat", "you", "by", "token"):
            assert await other.refusal(json.dumps({**spoofed, field: 0})) == "bad-message"


@live
async def test_a_command_repeated_by_another_seat_is_another_command() -> None:
    """The number of a command belongs to the seat: nobody gets another's acknowledgement."""
    async with running() as server:
        code, _, clients = await server.seated()
        actor, other = sorted(clients, key=lambda client: not client.on_turn)
        assert actor.view is not None
        move = {"cmd_id": "mine", "version": actor.version, "move": actor.view["legal"][0]}
        await actor.send("move", **move)
        assert (await actor.until("ack", "refused"))["type"] == "ack"
        before = fingerprint(server.table(code))
        await other.send("move", **move)
        assert (await other.until("ack", "refused"))["type"] == "refused"
        await actor.send("move", **move)
        assert (await actor.until("ack", "refused"))["type"] == "ack"
        assert fingerprint(server.table(code)) == before


@live
async def test_only_the_host_has_the_commands_of_the_host() -> None:
    async with running() as server:
        host = await server.make(seats=3)
        guest = await server.join(host["code"])
        await server.greet(host["code"], host["token"])  # while they are away, others may do some of it
        client = await server.greet(host["code"], guest["token"])
        before = fingerprint(server.table(host["code"]))
        for command, fields in (("start", {}), ("seat_bot", {"seat": 2}), ("clear_seat", {"seat": 2})):
            assert (await client.command(command, **fields))["code"] == "not-host"
        assert fingerprint(server.table(host["code"])) == before


@pytest.mark.parametrize("dealt", [False, True])
@live
async def test_whoever_looks_on_has_nothing_to_say(dealt: bool) -> None:
    async with running(messages_per_second=100_000) as server:
        code = (await server.seated())[0] if dealt else (await server.make())["code"]
        watcher = await server.greet(code)
        before = fingerprint(server.table(code))
        answers = [(await watcher.command(name, **fields))["code"] for name, fields in COMMANDS]
        for move in ("draw", "uno", "catch 0", "catch 1"):
            answers.append((await watcher.command("move", version=watcher.version, move=move))["code"])
        answers.append(await watcher.refusal('{"type":"chat","text":"psst"}'))
        answers.append(await watcher.refusal('{"type":"emote","emote":"wow"}'))
        assert set(answers) == {"not-seated"}
        assert fingerprint(server.table(code)) == before
        assert not watcher.view or (watcher.view["hand"], watcher.view["legal"]) == ([], [])


@live
async def test_what_is_no_token_is_not_read() -> None:
    async with running() as server:
        code, _, _ = await server.seated()
        for token in ("", "short", "A" * 23, "A" * 22 + "\n", "A" * 21 + "\n", "A" * 21 + "é", 7, ["A" * 22]):
            client = await server.connect()
            await client.send("hello", protocol=1, table=code, token=token)
            assert (await client.until("refused"))["code"] == "bad-message"


@live
async def test_a_token_of_one_table_is_worth_nothing_at_another_nor_one_that_was_made_up() -> None:
    async with running() as server:
        (one, _, _), (_, elsewhere, _) = await server.seated(), await server.seated()
        before = fingerprint(server.table(one))
        for token in (*elsewhere, new_token()):
            client = await server.connect()
            await client.send("hello", protocol=1, table=one, token=token)
            assert (await client.until("refused"))["code"] == "bad-token"
            assert await client.end() == (None, 1008)
        assert fingerprint(server.table(one)) == before


@live
async def test_a_seat_moves_to_another_device_once_for_each_secret() -> None:
    async with running() as server:
        code, tokens, (ana, ben) = await server.seated()
        secret = (await ana.command("transfer"))["secret"]
        got = await server.http.post("/api/transfers", json={"secret": secret})
        assert (got.status_code, got.json()["seat"], got.json()["code"]) == (201, 0, code)
        assert got.json()["token"] not in tokens
        twice = await server.http.post("/api/transfers", json={"secret": secret})
        assert (twice.status_code, twice.json()["code"]) == (403, "bad-token")
        phone = await server.greet(code, got.json()["token"])
        assert phone.told[0]["you"] == 0
        assert await ana.end() == ("moved", 4005)
        await ben.up_to(phone.version)
        assert await play([phone, ben], 2, random.Random(1)) == 2


@live
async def test_whoever_was_taken_from_the_table_has_lost_their_token() -> None:
    async with running() as server:
        host = await server.make(seats=3)
        code = host["code"]
        guest = await server.join(code)
        ana, ben = await server.greet(code, host["token"]), await server.greet(code, guest["token"])
        secret = (await ben.command("transfer"))["secret"]
        assert (await ana.command("clear_seat", seat=1))["type"] == "ack"
        assert await ben.end() == ("removed", 4001)
        await eventually(lambda: len(server.table(code).connections) == 1)
        carla = await server.join(code, "Carla", seat=1)
        before = fingerprint(server.table(code))
        again = await server.connect()
        await again.send("hello", protocol=1, table=code, token=guest["token"])
        assert (await again.until("refused"))["code"] == "banned"
        redeemed = await server.http.post("/api/transfers", json={"secret": secret})
        assert redeemed.status_code == 403, "the secret of one who is gone opens the seat of who came after"
        assert fingerprint(server.table(code)) == before
        assert (await server.greet(code, carla["token"])).told[0]["you"] == 1
