"""What a server tells the others from time to time, and cleans up behind all of them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

from .journal import JournalError
from .logs import log_event
from .public_list import PublicList
from .public_seats import PublicSeats
from .shared import SharedState

PUBLISH_SECONDS = 1.0  # the list of public tables, if it has changed
SEATS_SECONDS = 5.0  # where addresses sit
SWEEP_SECONDS = 60.0  # what has ended is deleted, by one server
_SWEEP = "sweep"
_log = logging.getLogger("flipdeck.sharing")


class Sharing:
    """A task that tells; ``node`` is the name of this server, None while it has no lease."""

    def __init__(
        self, shared: SharedState, public_list: PublicList, public_seats: PublicSeats, node: Callable[[], str | None]
    ) -> None:
        self._shared = shared
        self._public_list = public_list
        self._public_seats = public_seats
        self._node = node
        self._task: asyncio.Task[None] | None = None
        self._failing = False

    def start(self) -> None:
        if self._shared.several:
            self._task = asyncio.get_running_loop().create_task(self._tell())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _tell(self) -> None:
        now = asyncio.get_running_loop().time
        seats_at = sweep_at = now()
        while True:
            node = self._node()
            if node is not None:
                await self._attempt(self._public_list.publish(node))
                if now() >= seats_at and await self._attempt(self._public_seats.tell()):
                    seats_at = now() + SEATS_SECONDS
                if now() >= sweep_at and await self._attempt(self._sweep(node)):
                    sweep_at = now() + SWEEP_SECONDS
            await asyncio.sleep(PUBLISH_SECONDS)

    async def _sweep(self, node: str) -> None:
        if await self._shared.begin_chore(_SWEEP, node, SWEEP_SECONDS, SWEEP_SECONDS):
            await self._shared.sweep()
            await self._shared.end_chore(_SWEEP, node, SWEEP_SECONDS)

    async def _attempt(self, telling: Awaitable[None]) -> bool:
        """Whether it was told; the log says once that it can't be."""
        try:
            await telling
        except JournalError as error:
            if not self._failing:
                log_event(_log, "sharing-failed", logging.WARNING, error=error)
            self._failing = True
            return False
        except Exception as error:  # a fault of the server
            log_event(_log, "sharing-failed", logging.ERROR, error=error)
            return False
        self._failing = False
        return True
