"""What a journal in memory does for simulations: it is slow and fails when it is told to."""

from __future__ import annotations

import asyncio

import pytest

from flipdeck.server.journal import Unavailable
from flipdeck.server.journal.memory import MemoryJournal
from tests.server import virtual
from tests.server.journals import HOUR, bodies, body, claim, write


def test_a_failing_append_leaves_nothing_and_a_late_failure_leaves_the_entry() -> None:
    async def story() -> None:
        failing, late = False, False
        journal = MemoryJournal(fail=lambda: failing, fail_late=lambda: late)
        await journal.open()
        epoch = await write(journal, "AAAA", 1)
        failing = True
        with pytest.raises(Unavailable):
            await journal.append("AAAA", epoch, 2, b"")
        with pytest.raises(Unavailable):
            await journal.check()
        assert await journal.load("AAAA") == bodies("AAAA", 1)
        failing, late = False, True
        with pytest.raises(Unavailable):
            await journal.append("AAAA", epoch, 2, body("AAAA", 2))
        assert await journal.load("AAAA") == bodies("AAAA", 2)

    virtual.run(story())


def test_an_append_in_memory_takes_as_long_as_it_was_told() -> None:
    async def story() -> None:
        journal = MemoryJournal(delay=lambda: 0.02)
        await journal.open()
        epoch = await claim(journal, "AAAA", "one", HOUR)
        begun = asyncio.ensure_future(journal.append("AAAA", epoch, 1, b""))
        await asyncio.sleep(0)
        assert await journal.load("AAAA") == []
        await begun
        assert await journal.load("AAAA") == [b""]

    virtual.run(story())
