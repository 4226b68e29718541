"""What a proxy asks: is the server there, and should it get new people?"""

from __future__ import annotations

import asyncio
from typing import Any

from flipdeck.server.http.health import GOOD_FOR_SECONDS, NO_JOURNAL, NO_LEASE, STOPPING
from flipdeck.server.journal import Renewal, Unavailable
from flipdeck.server.journal.memory import MemoryJournal
from tests.server.running import Running, running
from tests.server.steered import advance_until, live, steered_loop


class ClosedBook(MemoryJournal):
    """It can write, and grants no lease when the test says so."""

    refuses = False

    async def begin_lease(self, *lease: Any) -> Renewal:
        self._check_way()
        return await super().begin_lease(*lease)

    async def renew(self, *lease: Any) -> Renewal:
        self._check_way()
        return await super().renew(*lease)

    def _check_way(self) -> None:
        if self.refuses:
            raise Unavailable("As the test asked.")


async def asked(server: Running) -> dict[str, tuple[int, dict[str, object]]]:
    answers = {path: await server.http.get(f"/health{path}") for path in ("", "/ready", "/live")}
    return {path: (answer.status_code, answer.json()) for path, answer in answers.items()}


LIVE = (200, {"ok": True})


@live
async def test_a_server_in_good_health_is_live_and_ready() -> None:
    async with running() as server:
        ready = (200, {"ok": True, "state": "ready", "tables": 0})
        assert await asked(server) == {"": ready, "/ready": ready, "/live": LIVE}


@live
async def test_a_server_that_is_about_to_stop_is_live_and_not_ready() -> None:
    async with running() as server:
        server.app.lobby.closing = True
        draining = (503, {"ok": False, "state": "draining", "tables": 0, "problem": STOPPING})
        assert await asked(server) == {"": draining, "/ready": draining, "/live": LIVE}
        server.app.lobby.closing = False


@live
async def test_a_server_whose_journal_can_not_write_is_live_and_not_ready() -> None:
    broken: list[bool] = []
    async with running(MemoryJournal(fail=lambda: bool(broken))) as server:
        assert (await asked(server))["/ready"][0] == 200
        broken.append(True)
        steered_loop().advance(GOOD_FOR_SECONDS + 0.1)
        failing = (503, {"ok": False, "state": "failing", "tables": 0, "problem": NO_JOURNAL})
        assert await asked(server) == {"": failing, "/ready": failing, "/live": LIVE}
        broken.clear()
        assert (await asked(server))["/ready"][0] == 200


@live
async def test_a_server_without_a_lease_is_not_ready_and_the_last_good_answer_does_not_count() -> None:
    journal = ClosedBook()
    async with running(journal, lease_seconds=6) as server:
        assert (await asked(server))["/ready"][0] == 200
        journal.refuses = True
        server.app.lobby.lease._give_up()
        failing = (503, {"ok": False, "state": "failing", "tables": 0, "problem": NO_LEASE})
        assert await asked(server) == {"": failing, "/ready": failing, "/live": LIVE}
        journal.refuses = False
        await advance_until(lambda: server.app.lobby.lease.runs, 0.5)
        assert (await asked(server))["/ready"][0] == 200


@live
async def test_many_who_ask_at_once_cost_one_write() -> None:
    checks = []

    class CountingBook(MemoryJournal):
        async def check(self) -> None:
            checks.append(1)
            await asyncio.sleep(0)

    async with running(CountingBook()) as server:
        steered_loop().stop_clock()
        answers = await asyncio.gather(*(server.http.get("/health/ready") for _ in range(10)))
        assert {answer.status_code for answer in answers} == {200}
        assert len(checks) == 1
        steered_loop().run_clock()
