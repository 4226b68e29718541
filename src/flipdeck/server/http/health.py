"""Whether the server can save what is played, and takes new people: for the operator and for a proxy."""

from __future__ import annotations

import asyncio

from litestar import Response, get
from litestar.types import ControllerRouterHandler

from ...wire import rest
from ..journal import Displaced, JournalError
from ..lobby import Lobby

CHECK_SECONDS = 5.0  # for the journal to show that it can write
GOOD_FOR_SECONDS = 1.0  # an answer, while all is well
STOPPING = "shutting down"
NO_JOURNAL = "the journal can't write"
NO_LEASE = "the lease of this server has ended: others may have its tables"


class HealthCheck:
    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._good_until = 0.0
        self._checking: asyncio.Task[None] | None = None
        self._problem: str | None = None

    def handlers(self) -> list[ControllerRouterHandler]:
        @get("/health")
        async def health() -> Response[rest.Health]:
            """200 while the journal can write, the lease runs and the server is not about to stop."""
            return await self._answer()

        @get("/health/live")
        async def live() -> rest.Liveness:
            """200 while the event loop runs.  A server that can't save need not be killed: it mends itself."""
            return rest.Liveness(True)

        @get("/health/ready")
        async def ready() -> Response[rest.Health]:
            """The same as ``/health``, under the name by which proxies ask."""
            return await self._answer()

        return [health, live, ready]

    async def _answer(self) -> Response[rest.Health]:
        tables = len(self._lobby.tables)
        if self._lobby.draining:
            return Response(rest.Health(False, "draining", tables, STOPPING), status_code=503)
        problem = await self._find_problem()
        if problem is None and self._lobby.lease.is_lost:
            problem = NO_LEASE
        if problem is not None:
            return Response(rest.Health(False, "failing", tables, problem), status_code=503)
        return Response(rest.Health(True, "ready", tables), status_code=200)

    async def _find_problem(self) -> str | None:
        """A real write to the journal; never two at a time, and at most one a second while all is well."""
        now = asyncio.get_running_loop().time()
        if now >= self._good_until and self._checking is None:
            self._checking = asyncio.get_running_loop().create_task(self._check())
        if self._checking is not None:
            await asyncio.shield(self._checking)
        return self._problem

    async def _check(self) -> None:
        try:
            await asyncio.wait_for(self._lobby.context.journal.check(), CHECK_SECONDS)
            self._problem = None
            self._good_until = asyncio.get_running_loop().time() + GOOD_FOR_SECONDS
        except Displaced as displaced:
            self._problem = str(displaced)
        except (JournalError, TimeoutError):
            self._problem = NO_JOURNAL
        finally:
            self._checking = None
