"""A history checker: what everybody at some tables was told, beside what the database has seen of the same tables.

Nothing acknowledged is lost, nothing was shown that is not committed, entries have no gap, every command was carried
out once, epochs rise, and only the owner of a table has written to it.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from .audits import AuditedDatabase, TableAudit
from .outbox import Message
from .witnesses import Witness, agree

PROGRESS = 4  # acknowledgements of every table after each fault
LOOK_SECONDS = 0.05
_GAPS = "SELECT code FROM entries GROUP BY code HAVING count(*) != max(seq) - min(seq) + 1"
SETTINGS: dict[str, Any] = {
    "seats": 2,
    "options": {"target": 5000},
    "grace_ms": 0,
    "speed": "fast",
    "turn_seconds": 300,
}


class NodeWitness(Witness):
    """One that may reach any server.  ``unavailable`` says nothing about what became of a command: it asks again."""

    think_seconds = 0.03  # before it says something: nobody plays for nothing while a lease ends

    async def _act(self) -> None:
        if self.plays and self.token and not self.pending:
            asyncio.get_running_loop().call_later(self.think_seconds, self._speak, self._where)

    def _speak(self, where: object) -> None:
        if where is self._where:
            self._speaking = asyncio.get_running_loop().create_task(super()._act())

    @property
    def _where(self) -> object:
        """The connection."""
        return self._socket

    async def _hear_refused(self, message: Message) -> None:
        if message["code"] not in ("unavailable", "table-elsewhere"):
            await super()._hear_refused(message)
        elif message["cmd_id"] is not None:
            await self._leave()

    async def _leave(self) -> None:
        """Go, and come again."""
        if self._socket is not None:
            await self._socket.close()

    async def _hear_bye(self, message: Message) -> None:
        assert message["code"] in ("shutting-down", "unavailable", "replaced"), message["message"]
        self.byes += 1

    @property
    def newest(self) -> int:
        """The last version that it knows of."""
        return max(self.version or 0, *self.acks.values(), 0)


class History:
    """Tables, those who play at them, what the database has seen of each, and what has befallen the servers."""

    def __init__(self, database: AuditedDatabase, dice: random.Random) -> None:
        self.database, self.dice = database, dice
        self.witnesses: dict[str, Sequence[NodeWitness]] = {}
        self.audits: dict[str, TableAudit] = {}
        self.tasks: list[asyncio.Task[None]] = []
        self.faults: Counter[str] = Counter()

    def add(self, code: str, witnesses: Sequence[NodeWitness], tasks: Sequence[asyncio.Task[None]]) -> None:
        self.witnesses[code], self.audits[code] = witnesses, TableAudit(self.database, code)
        self.tasks += tasks

    @property
    def everybody(self) -> list[NodeWitness]:
        return [witness for there in self.witnesses.values() for witness in there]

    @property
    def acks(self) -> dict[str, int]:
        return {code: sum(len(witness.acks) for witness in there) for code, there in self.witnesses.items()}

    async def go_on(self) -> None:
        """Every table is played on."""
        goals = {code: acks + PROGRESS for code, acks in self.acks.items()}
        await self.until(lambda: all(self.acks[code] >= goal for code, goal in goals.items()))

    async def until(self, happened: Callable[[], bool]) -> None:
        """Or one of the clients has found fault with what it was told."""
        while not happened():
            for task in self.tasks:
                if task.done():
                    task.result()
            await asyncio.sleep(LOOK_SECONDS)

    async def check(self) -> None:
        for code, audit in self.audits.items():
            for _ in range(50):  # until the journal was read after the last word that anybody has heard
                await audit.read()
                if all(witness.newest <= audit.ledger.version for witness in self.witnesses[code]):
                    break
            for witness in self.witnesses[code]:
                agree(witness, audit.ledger)
        assert not await self.database.fetch(_GAPS), "a gap between entries"

    async def end(self) -> None:
        """Nobody plays any more; what one of them has found fault with is raised."""
        for task in self.tasks:
            task.cancel()
        for outcome in await asyncio.gather(*self.tasks, return_exceptions=True):
            if isinstance(outcome, Exception):
                raise outcome
