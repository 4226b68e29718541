"""The lease of this server: it says that the server lives, and with it that its tables are its own.

A server is a node with a name of its own.  It renews its lease several times before that ends.  When it can't, it gives
up all its tables *before* others may take them, and begins again as a new node.  Its deadline is counted by a monotonic
clock from before the renewal was sent, so that it is never later than the journal's own.  A process that stood still
finds its deadline passed when it goes on; what it still writes is fenced by the epochs of its tables.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import Callable, Collection

from . import identity
from .journal import Displaced, Journal, JournalError, LeaseEnded, Renewal, Unavailable
from .logs import log_event

RENEWALS = 4  # within the time of a lease
ATTEMPTS = 6 * RENEWALS  # … while one fails
MARGIN = 1 / 12  # of a lease: so much earlier its tables are given up

_log = logging.getLogger("flipdeck.node")


class NodeLease:
    """``lost`` is called when the tables must be given up, ``renewed`` with what the journal tells at each renewal.
    ``kinds`` is what the other nodes are told that this one can read.
    """

    def __init__(
        self,
        journal: Journal,
        seconds: float,
        lost: Callable[[], None],
        renewed: Callable[[Renewal], None],
        kinds: Collection[str] = (),
    ) -> None:
        self._journal = journal
        self._seconds = seconds
        self._lost = lost
        self._renewed = renewed
        self._kinds = kinds
        self.node = identity.new_token()
        self.begun = 0  # so often one began
        self.losses = 0  # so often it was given up
        self.failures = 0  # renewals that failed
        self._until = -math.inf  # of the loop's clock
        self._alarm: asyncio.TimerHandle | None = None
        self._beginning = asyncio.Lock()
        self._hint = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._ended = False

    def start(self) -> None:
        self._journal.watch(self._asked)
        self._task = asyncio.get_running_loop().create_task(self._keep())

    async def end(self) -> None:
        """For good, and all tables are released."""
        self._ended = True
        await self.stop()
        if self.runs:
            self._until = -math.inf
            with contextlib.suppress(JournalError):
                await self._journal.end_lease(self.node)

    async def stop(self) -> None:
        """Renew no more; the lease ends by itself."""
        if self._alarm is not None:
            self._alarm.cancel()
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    @property
    def runs(self) -> bool:
        return asyncio.get_running_loop().time() < self._until

    @property
    def is_lost(self) -> bool:
        """Whether there was one, and there is none now."""
        return self.begun > 0 and not self.runs

    async def hold(self) -> str:
        """The name of the node, whose lease runs; a JournalError if there is none to be had."""
        async with self._beginning:
            if not self.runs:
                if self._ended:
                    raise LeaseEnded("The server is stopping.")
                node, sent = self.node, asyncio.get_running_loop().time()
                try:
                    async with asyncio.timeout(self._seconds / 2):
                        renewal = await self._journal.begin_lease(node, self._seconds, self._kinds)
                except TimeoutError:
                    raise Unavailable("The journal does not answer.") from None
                if node != self.node:
                    raise LeaseEnded("The node was given up meanwhile.")
                self._extend(sent)
                self.begun += 1
                self._renewed(renewal)
        return self.node

    # ------------------------------------------------------------ renewing
    async def _keep(self) -> None:
        while True:
            try:
                if self.runs:
                    async with asyncio.timeout_at(self._until):
                        await self.renew()
                else:
                    await self.hold()
                pause = self._seconds / RENEWALS
            except (JournalError, TimeoutError) as error:
                self.failures += 1
                if not isinstance(error, Displaced):  # the journal has said that, once
                    log_event(_log, "renewal-failed", logging.WARNING, error=error)
                pause = self._seconds / ATTEMPTS
            except Exception as error:  # a fault of the server: the lease must be renewed all the same
                self.failures += 1
                log_event(_log, "renewal-failed", logging.ERROR, error=error)
                pause = self._seconds / ATTEMPTS
            await self._wait(pause)

    async def _wait(self, seconds: float) -> None:
        """Until it is time, or somebody has asked for a table."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._hint.wait()
        self._hint.clear()

    async def renew(self) -> None:
        """Now; LeaseEnded if it is too late, and then the tables were given up."""
        node, sent = self.node, asyncio.get_running_loop().time()
        try:
            renewal = await self._journal.renew(node, self._seconds)
        except LeaseEnded:
            if node == self.node:  # a late answer about an earlier one says nothing about this one
                self._give_up()
            raise
        if node == self.node:  # or it was given up meanwhile
            self._extend(sent)
            self._renewed(renewal)

    def _extend(self, sent: float) -> None:
        self._until = sent + self._seconds * (1 - MARGIN)
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = asyncio.get_running_loop().call_at(self._until, self._give_up)

    def _give_up(self) -> None:
        self._until, self.node = -math.inf, identity.new_token()
        self.losses += 1
        log_event(_log, "lease-lost", logging.ERROR)
        self._lost()

    def _asked(self, node: str) -> None:
        if node == self.node:
            self._hint.set()
