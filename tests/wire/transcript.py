"""A whole short match on a real server, told message by message: a part of docs/wire.md.

    python -m tests.wire.transcript    plays it again, and writes it into the document

Ana's connection is shown; Ben plays from another.  Deal, tokens and code are given and the clock stands still, so that
the same is said every time.
"""

from __future__ import annotations

import itertools
import json
import sys
import textwrap
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Literal
from unittest.mock import patch

from flipdeck.core.seeds import seed_of
from flipdeck.server import identity
from flipdeck.server.transport import session
from flipdeck.server.transport.protocols import WebSocketProtocol
from flipdeck.wire.__main__ import ROOT
from tests.patience import HANG
from tests.server.running import Client, Message, Running, run, running
from tests.server.steered import eventually, steered_loop

DOCUMENT = ROOT / "docs" / "wire.md"
BEGIN = "<!-- a transcript, made by `python -m tests.wire.transcript` -->"
END = "<!-- up to here the transcript -->"
SEED = "transcript 346"
CODE, REPLAY = "K7QM2XRD", "0123456789abcdefghjkmnpqrs"
TOKENS = {"Ana": "hT3vQ0pYxk2mJr8WzB5nLA", "Ben": "c0MEonY0ucanD0thisBen0"}
SETTINGS = {"seats": 2, "turn_seconds": 30, "options": {"hand_size": 2, "target": 15}}
LEFT_OUT = "…"
JOINED = "\u00a0"  # a space where no line ends

MessageWay = Literal["→", "←", ""]
Line = tuple[MessageWay, Any]  # what was said; without a direction: what to tell about it


class TranscriptText(Client):
    """A client whose messages are written down."""

    def __init__(self, socket: Any, lines: list[Line], numbers: Iterator[int]) -> None:
        super().__init__(socket)
        self.lines = lines
        self._numbers = numbers  # of commands

    async def send(self, type: str, **fields: Any) -> None:  # noqa: A002  # as the wire has it
        self.lines.append(("→", {"type": type, **fields}))
        await super().send(type, **fields)

    async def read(self) -> Message:
        message: Message = json.loads(await self.socket.recv())
        self.told.append(message)
        self.lines.append(("←", message))
        if message["type"] in ("welcome", "update"):
            self.version, self.view = message["version"], message["view"]
            self.table = message["table"] or self.table
        elif message["type"] == "ping":
            await self.send("pong", n=message["n"])
        return message

    async def command(self, type: str, **fields: Any) -> Message:  # noqa: A002
        cmd_id = f"a{next(self._numbers)}"
        await self.send(type, cmd_id=cmd_id, **fields)
        answer = await self.until("ack", "refused", "held", cmd_id=cmd_id)
        if answer["type"] == "held":
            self.lines.append(("", "Ben could still be caught. When the grace is over:"))
            steered_loop().advance(answer["ms"] / 1000)
            answer = await self.until("ack", "refused", cmd_id=cmd_id)
        await self.up_to(answer["version"])
        return answer


class TranscribedMatch:
    def __init__(self, server: Running) -> None:
        self.server = server
        self.lines: list[Line] = []
        self.ana: TranscriptText
        self.ben: Client
        self.numbers = itertools.count(1)
        self.forgot = False  # Ben, to say UNO: he does it once

    def tell(self, text: str) -> None:
        self.lines.append(("", text))

    async def post(self, path: str, body: Message) -> None:
        answer = await self.server.http.post(path, json=body)
        self.lines.append(("→", (f"POST {path}", body)))
        self.lines.append(("←", (f"{answer.status_code} {answer.reason_phrase}", answer.json())))
        assert answer.status_code == 201

    async def connect(self, have: int | None = None) -> None:
        plain = await self.server.connect()
        self.ana = TranscriptText(plain.socket, self.lines, self.numbers)
        more = {} if have is None else {"have": have}
        await self.ana.send("hello", protocol=1, table="K7QM-2XRD", token=TOKENS["Ana"], **more)
        await self.ana.until("welcome")

    async def play(self) -> None:
        """To the end of the match.  A moment passes between two moves, or they would come too fast."""
        both = (self.ana, self.ben)
        while self.ana.table["phase"] != "over":
            steered_loop().advance(0.25)
            newest = max(client.version for client in both)
            for client in both:
                await client.up_to(newest)
            if self.ana.table["phase"] == "between":
                await self.get_ready()
            elif self.ana.on_turn:
                await self.move()
            elif self.ben.on_turn:
                await self.let_ben_move()

    async def move(self) -> None:
        await self.ana.command("move", version=self.ana.version, move=best(self.ana))
        await self.ben.up_to(self.ana.version)

    async def let_ben_move(self) -> None:
        move = best(self.ben)
        if move.endswith("!") and not self.forgot:
            self.forgot, move = True, move.removesuffix("!")
            self.tell("Ben plays his last card but one, and forgets to say UNO:")
        cmd_id = f"b{self.ben.version}"
        await self.ben.send("move", cmd_id=cmd_id, version=self.ben.version, move=move)
        answer = await self.ben.until("ack", "held", "refused", cmd_id=cmd_id)
        if answer["type"] == "held":
            steered_loop().advance(answer["ms"] / 1000)
            answer = await self.ben.until("ack", "refused", cmd_id=cmd_id)
        assert answer["type"] == "ack", answer
        await self.ana.up_to(answer["version"])

    async def get_ready(self) -> None:
        self.tell("The round is over, and the hands are open. She is ready for the next one, and so is Ben:")
        await self.ana.command("ready")
        answer = await self.ben.command("ready")
        await self.ana.until("update", version=answer["version"] + 1)


def best(client: Client) -> str:
    """A card, with UNO where it is due; else what is left."""
    assert client.view is not None
    legal: list[str] = [move for move in client.view["legal"] if not move.startswith(("uno", "catch"))]
    cards = [move for move in legal if move not in ("draw", "keep")]
    return next((move for move in cards if move.endswith("!")), (cards or legal)[0])


@contextmanager
def losing_an_ack() -> Iterator[list[bytes]]:
    """The next answer to a command is not sent; its connection is cut."""
    write, lost = WebSocketProtocol.write, list[bytes]()

    def lose(socket: WebSocketProtocol, *messages: bytes) -> int:
        if not lost and any(message.startswith(b'{"type":"ack"') for message in messages):
            lost.extend(messages)
            socket.cut()
            return 0
        return write(socket, *messages)

    with patch.object(WebSocketProtocol, "write", lose):
        yield lost


async def tell(server: Running) -> TranscribedMatch:
    story = TranscribedMatch(server)
    steered_loop().stop_clock()
    await open_table(story)
    session.FIRST_PING_SECONDS = HANG  # ``given_luck`` sets it back; one ping is enough to be shown
    await first_moves(story)
    await lose_connection(story)
    story.tell("So it goes on:")
    await story.play()
    story.tell(
        "The match is over: `fairness.seed` opens the commitment, and `replay` names the record. Another one, with the "
        "same people: the table waits again, for the host to deal."
    )
    await story.ana.command("rematch")
    await story.ana.command("start")
    while story.ana.view is None:
        await story.ana.read()
    story.tell("She has to go. A bot plays on for her, and the server closes the connection with 4004:")
    await story.ana.send("leave", cmd_id=f"a{next(story.numbers)}")
    assert await story.ana.end() == ("left", 4004)
    return story


async def open_table(story: TranscribedMatch) -> None:
    story.tell("Ana makes a table for two, with a token of her own:")
    await story.post("/api/tables", {"name": "Ana", "settings": SETTINGS, "token": TOKENS["Ana"]})
    story.tell("She opens the websocket and greets:")
    await story.connect()
    story.tell("Ben has got the code from her. What he sends is not shown from here on; this is how he sits down:")
    await story.post(f"/api/tables/{CODE}/seats", {"name": "Ben", "token": TOKENS["Ben"]})
    story.ben = await story.server.greet(CODE, TOKENS["Ben"])
    story.tell("She hears of it; and that he is connected, which makes no version:")
    await story.ana.until("update")
    await story.ana.until("presence")
    story.tell("A second after the greeting the server measures the round trip:")
    steered_loop().advance(session.FIRST_PING_SECONDS)
    await story.ana.until("ping")
    story.tell("Every seat is taken, and she is the host. The cards are dealt; of Ben's hand she sees the backs:")
    await story.ana.command("start")
    await story.ben.up_to(story.ana.version)


async def first_moves(story: TranscribedMatch) -> None:
    if story.ben.on_turn:
        await refused_move(story)
        story.tell("Ben moves:")
        await story.let_ben_move()
    else:
        story.tell("It is her turn. She plays what is in `legal`, chosen from this version:")
        await story.move()
        await refused_move(story)
    story.tell("She says something, for everybody to hear:")
    await story.ana.send("chat", text="Good luck!")
    await story.ana.until("said")


async def refused_move(story: TranscribedMatch) -> None:
    assert story.ana.view is not None
    story.tell("She tries another card, though it is Ben's turn. Nothing changes:")
    card = story.ana.view["hand"][0]
    await story.ana.command("move", version=story.ana.version, move=card)


async def lose_connection(story: TranscribedMatch) -> None:
    while not story.ana.on_turn:
        await story.let_ben_move()
    story.tell("Her next move is carried out, but the connection is lost before she hears of it:")
    known, move = story.ana.version, best(story.ana)
    again: Message = {"cmd_id": f"a{next(story.numbers)}", "version": known, "move": move}
    with losing_an_ack() as lost:
        await story.ana.send("move", **again)
        await eventually(lambda: bool(lost))
    story.tell(
        "She connects again, with the last version she has. `missed` has what happened since, as she may see it: her "
        "move was made. She can't know that in general, so she sends the very same command, and gets the answer that "
        "was lost:"
    )
    await story.connect(have=known)
    await story.ana.send("move", **again)
    answer = await story.ana.until("ack", cmd_id=again["cmd_id"])
    await story.ben.up_to(answer["version"])


# ---------------------------------------------------------------- as text
def changes(new: Any, old: Any) -> Any:
    """Only what is not as it was; ``…`` for the rest."""
    if isinstance(new, dict) and isinstance(old, dict):
        changed = {name: changes(value, old.get(name)) for name, value in new.items() if old.get(name, old) != value}
        return changed if len(changed) == len(new) else {**changed, LEFT_OUT: LEFT_OUT}
    if isinstance(new, list) and isinstance(old, list) and len(new) == len(old) and new and isinstance(new[0], dict):
        return [changes(*pair) for pair in zip(new, old, strict=True)]
    return new


def shown(lines: list[Line]) -> str:
    known: Message = {}
    blocks: list[tuple[MessageWay, list[str]]] = []
    for direction, said in lines:
        if not direction:
            blocks.append(("", [textwrap.fill(said, 120, break_on_hyphens=False)]))
            continue
        if not blocks or not blocks[-1][0]:
            blocks.append((direction, []))
        head, body = said if isinstance(said, tuple) else ("", said)
        short = dict(body)
        for name in ("view", "table"):
            if isinstance(body.get(name), dict):
                short[name] = changes(body[name], known.get(name))
                known[name] = body[name]
        blocks[-1][1].append(wrapped(f"{direction} {head} ".rstrip() + " " + written(short)))
    return "\n\n".join("\n".join(["```text", *texts, "```"] if direction else texts) for direction, texts in blocks)


def written(message: Message) -> str:
    return json.dumps(message, ensure_ascii=False).replace(f'"{LEFT_OUT}": "{LEFT_OUT}"', LEFT_OUT)


def wrapped(text: str) -> str:
    """Broken after commas only, so that no text within a message is."""
    joined = text.replace(" ", JOINED).replace(f",{JOINED}", ", ")
    lines = textwrap.wrap(joined, 118, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines).replace(JOINED, " ")


@contextmanager
def given_luck(seed: str) -> Iterator[None]:
    """The deals, the code and the name of the record are given."""
    numbers = itertools.count()
    with ExitStack() as stack:
        for owner, name, given in (
            (identity, "new_seed", lambda: seed_of(f"{seed} {next(numbers)}")),
            (identity, "new_replay_name", lambda: REPLAY),
            (identity.AddressHashes, "code_for", lambda *_: CODE),
            (session, "_numbers", itertools.count(1)),
            (session, "FIRST_PING_SECONDS", session.FIRST_PING_SECONDS),
        ):
            stack.enter_context(patch.object(owner, name, given))
        yield


def played(seed: str = SEED) -> list[Line]:
    async def story() -> list[Line]:
        async with running(messages_per_second=100_000) as server:
            return (await tell(server)).lines

    with given_luck(seed):
        return run(story())


def with_transcript(document: str, lines: list[Line]) -> str:
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    assert begin, f"{BEGIN} is missing"
    assert end, f"{END} is missing"
    return f"{before}{BEGIN}\n\n{shown(lines)}\n\n{END}{after}"


def main() -> int:
    DOCUMENT.write_text(with_transcript(DOCUMENT.read_text(encoding="utf-8"), played()), encoding="utf-8")
    print(f"{DOCUMENT.relative_to(ROOT).as_posix()} written.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
