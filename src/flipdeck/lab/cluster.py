"""A run on a Ray cluster: the same shards, the same results, on as many machines as the cluster has.

    this process  ──pipe──  driver (a process of its own)  ──Ray──  workers, one a processor, on any machine

Ray lives in the driver alone.  It writes where it likes, tries again without end, and takes its process down when the
cluster goes away: seen from here all of that is one ``ClusterError``, and closing the iterator ends the driver, which
ends whatever it has started.
"""

from __future__ import annotations

import logging
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from itertools import islice
from threading import Timer
from typing import IO, Any

from . import cluster_driver
from .cluster_worker import fingerprint
from .shards import Job, Result, Shard

CONNECT_SECONDS = 15.0
CLOSE_SECONDS = 5.0
SURROUNDINGS = {
    "PYTHONWARNINGS": "ignore",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_gcs_rpc_server_reconnect_timeout_s": "20",  # then a cluster whose head is gone is given up
}
MISSING = "This needs Ray: install it with  pip install 'flipdeck[cluster]'"

log = logging.getLogger(__name__)


class ClusterError(Exception):
    """The cluster can't be reached or can't play; the message says so in a sentence."""


def on_cluster(job: Job, shards: Sequence[Shard], address: str) -> Iterator[Result]:
    """Results as they come, each shard once.  Closing the iterator ends what is under way, here and on the workers.

    The address is ``auto`` (the cluster this machine is part of), ``HOST:PORT`` or ``ray://HOST:PORT``.
    """
    if find_spec("ray") is None:
        raise ClusterError(MISSING)
    waiting, left = enumerate(shards), dict[int, Shard]()
    with _driver() as driver:
        _give(driver, (address, fingerprint(), pickle.dumps(job)))
        for kind, *facts in _told(driver, address):
            match kind:
                case "room":
                    taken = dict(islice(waiting, *facts))
                    left |= taken
                    _give(driver, {number: pickle.dumps(shard) for number, shard in taken.items()})
                case "played" if left.pop(facts[0], None):  # counted once, whatever the workers did
                    yield pickle.loads(facts[1])  # noqa: S301  # made by Flipdeck of the same fingerprint
                case "again":
                    log.info("%s is played again: %s", _name(left[facts[0]]), facts[1])
                case "gave up":
                    raise ClusterError(f"{_name(left[facts[0]])} failed again and again on the cluster: {facts[1]}")
                case "failed":
                    raise ClusterError(*facts)
                case "done":
                    return
    raise ClusterError("The cluster went away before all was played.")


def _name(shard: Shard) -> str:
    return f"Shard {shard.number} (matches {shard.first} to {shard.first + shard.count - 1})"


# ---------------------------------------------------------------- the driver
@contextmanager
def _driver() -> Iterator[subprocess.Popen[bytes]]:
    driver = subprocess.Popen(  # noqa: S603  # our own module
        [sys.executable, "-P", "-m", cluster_driver.__name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for us; the driver ends when we close its input
        env={**os.environ, **SURROUNDINGS},
    )
    try:
        yield driver
    finally:
        for pipe in (driver.stdin, driver.stdout):
            with suppress(OSError):
                _open(pipe).close()
        try:
            with suppress(subprocess.TimeoutExpired):
                driver.wait(CLOSE_SECONDS)
        finally:
            driver.kill()
            driver.wait()


def _give(driver: subprocess.Popen[bytes], thing: cluster_driver.Order | cluster_driver.Shards) -> None:
    with suppress(BrokenPipeError):  # it has died: reading finds that out
        pickle.dump(thing, _open(driver.stdin))
        _open(driver.stdin).flush()


def _told(driver: subprocess.Popen[bytes], address: str) -> Iterator[tuple[Any, ...]]:
    """What the driver tells, until it has no more to say; it must reach the cluster in good time."""
    patience = Timer(CONNECT_SECONDS, driver.kill)
    patience.start()
    try:
        first = _next(driver)
    finally:
        patience.cancel()
    if first is None:
        where = "of this machine" if address == "auto" else f"at {address}"
        raise ClusterError(f"The cluster {where} can't be reached: nothing there answers as a Ray cluster does.")
    yield first
    while (told := _next(driver)) is not None:
        yield told


def _next(driver: subprocess.Popen[bytes]) -> tuple[Any, ...] | None:
    try:
        told: tuple[Any, ...] = pickle.load(_open(driver.stdout))  # noqa: S301  # written by our own driver
    except (EOFError, pickle.UnpicklingError):  # it died, perhaps in the middle of a word
        return None
    return told


def _open(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise ValueError("the driver is started with pipes")
    return pipe
