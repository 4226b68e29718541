"""The Ray driver, a child process of ``cluster``: requests come on standard input, messages go to standard output,
and it exits when its input is closed.

It receives an ``Order``, sends ``("joined",)`` when it has reached the cluster, and receives ``PickledShards`` for each
``("room", n)`` it sends: n of them, or fewer when there are no more.  For each shard it sends ``("played", number,
result)`` or ``("again", number, why)``; and at the end ``("done",)``, ``("gave up", number, why)`` or ``("failed",
sentence)``.  Jobs, shards and results are opaque bytes here.
"""

from __future__ import annotations

import heapq
import logging
import os
import pickle
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from queue import SimpleQueue
from typing import IO, Any
from urllib.parse import urlsplit

from ...child_process import parent_pipes, pickle_sender

Order = tuple[str, str, bytes]  # address, fingerprint, job
PickledShards = dict[int, bytes]

IN_FLIGHT = 3  # shards per processor: one is played, the others are queued
TRIES = 5
BACK_OFF_SECONDS = 0.1  # exponential: doubled with every failure of a shard
WAIT_SECONDS = 0.2
COUNT_SECONDS = 2.0
PROBE_SECONDS = 5.0
WITHOUT_PROCESSORS_SECONDS = 30.0


class DriverFailure(Exception):  # noqa: N818  # the last message of the driver
    """Nothing more can be played; the arguments are the message."""


# ---------------------------------------------------------------- on the worker
def play_there(own: str, job: bytes, shard: bytes) -> tuple[bool, bytes | str]:
    """Pickled by value, as it is defined in ``__main__``: a worker without this Flipdeck can still say so."""
    import socket

    host = socket.gethostname()
    try:
        from flipdeck.lab.run.cluster_worker import fingerprint, play_pickled
    except ImportError as error:
        return False, f"The worker on {host} can't play; install flipdeck[cluster] there: {error}."
    if fingerprint() != own:
        return False, (
            f"The worker on {host} has another Flipdeck, Python, Numba or NumPy than this machine, so its results "
            "could differ: install the same versions there."
        )
    return True, play_pickled(job, shard)


# ---------------------------------------------------------------- joining
def join(address: str) -> Any:
    """Connect to the cluster; the module ``ray``."""
    if address == "auto":
        address = os.environ.get("RAY_ADDRESS") or address
    if address != "auto":
        check(address)
    import ray

    try:
        ray.init(address, log_to_driver=False, logging_level=logging.ERROR)
    except Exception as error:
        if address == "auto" and isinstance(error, ConnectionError):
            raise DriverFailure("failed", "No Ray cluster is running here: start one with  ray start --head") from error
        raise DriverFailure("failed", f"The cluster at {address} can't be reached: {in_a_line(error)}") from error
    return ray


def check(address: str) -> None:
    """Check the address and that something listens there: Ray itself would retry for a long time."""
    is_client = address.startswith("ray://")
    try:
        parts = urlsplit(address if is_client else f"//{address}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or not port:
        sentence = f"{address!r} is not the address of a cluster: write auto, HOST:PORT or ray://HOST:PORT."
        raise DriverFailure("failed", sentence)
    try:
        socket.create_connection((host, port), PROBE_SECONDS).close()
    except OSError as error:
        reason = error.strerror or "no answer"
        raise DriverFailure("failed", f"The cluster at {address} can't be reached: {reason}.") from error
    if is_client and find_spec("grpc") is None:
        raise DriverFailure("failed", "An address like ray://HOST:PORT needs  pip install 'ray[client]'")


def in_a_line(error: BaseException) -> str:
    """The first line of the cause: Ray's own messages fill a page."""
    cause = getattr(error, "cause", None) or error
    lines = str(cause).strip().splitlines() or [""]
    return f"{type(cause).__name__}: {lines[0]}"[:300]


# ---------------------------------------------------------------- playing
class ClusterRun:
    """The scheduler: shards that wait, shards under way, failures of each."""

    def __init__(
        self, ray: Any, order: Order, inbox: SimpleQueue[PickledShards | None], send: Callable[..., None]
    ) -> None:
        _, self.own, self.job = order
        self.ray, self.inbox, self.send = ray, inbox, send
        self.task = ray.remote(num_cpus=1, max_retries=0)(play_there)  # retries are ours, so that they are counted
        self.shards: PickledShards = {}  # all that are not played yet
        self.waiting: list[tuple[float, int]] = []  # a heap: earliest time, number
        self.running: dict[Any, int] = {}
        self.failures: Counter[int] = Counter()
        self.more = True
        self.processors = 0
        self.counted = self.had_processors = time.monotonic()

    def play(self) -> None:
        while self.more or self.shards:
            self.count_processors()
            self.ask_for_shards()
            self.send_out()
            if not self.running:
                time.sleep(BACK_OFF_SECONDS)
                continue
            done, _ = self.ray.wait(list(self.running), timeout=WAIT_SECONDS)
            for task in done:
                self.take_in(task, self.running.pop(task))

    def count_processors(self) -> None:
        """Machines may join and leave during a run."""
        now = time.monotonic()
        if self.processors and now - self.counted < COUNT_SECONDS:
            return
        self.counted, self.processors = now, int(self.ray.cluster_resources().get("CPU", 0))
        if self.processors:
            self.had_processors = now
        elif now - self.had_processors > WITHOUT_PROCESSORS_SECONDS:
            raise DriverFailure("failed", "The cluster has no processor to play on.")

    def ask_for_shards(self) -> None:
        room = IN_FLIGHT * self.processors - len(self.shards) if self.more else 0
        if room <= 0:
            if not self.inbox.empty():
                raise SystemExit  # only the end of the input comes without a request
            return
        self.send("room", room)
        shards = self.inbox.get()  # as fast as the parent reads results
        if shards is None:
            raise SystemExit
        self.shards |= shards
        for number in shards:
            heapq.heappush(self.waiting, (0.0, number))
        self.more = len(shards) == room

    def send_out(self) -> None:
        while self.waiting and self.waiting[0][0] <= time.monotonic():
            _, number = heapq.heappop(self.waiting)
            self.running[self.task.remote(self.own, self.job, self.shards[number])] = number

    def take_in(self, task: Any, number: int) -> None:
        try:
            can_play, result = self.ray.get(task)
        except self.ray.exceptions.LocalRayletDiedError as error:
            raise DriverFailure("failed", "The Ray node of this machine died.") from error
        except self.ray.exceptions.RayError as error:
            self.try_again(number, in_a_line(error))
            return
        if not can_play:
            raise DriverFailure("failed", result)
        del self.shards[number]
        self.send("played", number, result)

    def try_again(self, number: int, why: str) -> None:
        self.failures[number] += 1
        if self.failures[number] == TRIES:
            raise DriverFailure("gave up", number, why)
        self.send("again", number, why)
        heapq.heappush(self.waiting, (time.monotonic() + BACK_OFF_SECONDS * 2 ** self.failures[number], number))

    def stop(self) -> None:
        for task in self.running:
            self.ray.cancel(task, force=True)
        self.ray.shutdown()


def main() -> None:
    requests, answers = parent_pipes()  # what Ray prints goes to standard error
    send = pickle_sender(answers)

    def send_message(*message: object) -> None:
        send(message)

    order: Order = pickle.load(requests)  # noqa: S301  # from the process that started us
    inbox: SimpleQueue[PickledShards | None] = SimpleQueue()
    threading.Thread(target=listen, args=(requests, inbox), daemon=True).start()
    run = None
    try:
        ray = join(order[0])
        send_message("joined")
        run = ClusterRun(ray, order, inbox, send_message)
        run.play()
        send_message("done")
    except DriverFailure as failure:
        send_message(*failure.args)  # before the shutdown, which a broken cluster can delay
    finally:
        if run:
            run.stop()


def listen(requests: IO[bytes], inbox: SimpleQueue[PickledShards | None]) -> None:
    try:
        while True:
            inbox.put(pickle.load(requests))  # noqa: S301
    except EOFError:
        inbox.put(None)


if __name__ == "__main__":
    main()
