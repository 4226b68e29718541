"""A run on a Ray cluster: the same shards, the same results, on as many machines as the cluster has.

    this process  ──pipe──  driver (a child process)  ──Ray──  workers, one per processor, on any machine

Only the driver imports Ray, which prints to standard output, retries without end, and takes its process down when the
cluster goes away.  This side sees one ``ClusterError``; closing the iterator ends the driver, which cancels its tasks.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import islice
from threading import Timer
from typing import Any

from ...child_process import PickleProcess
from . import cluster_driver
from .cluster_worker import fingerprint
from .shards import Part, RunError, S, Shard, ShardPlayer

CONNECT_SECONDS = 15.0
ENVIRONMENT = {
    "PYTHONWARNINGS": "ignore",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_gcs_rpc_server_reconnect_timeout_s": "20",  # then a cluster without a head is given up
}
MISSING = "This needs Ray: install it with  pip install 'flipdeck[cluster]'"

log = logging.getLogger(__name__)


class ClusterError(RunError):
    """The cluster can't be reached or can't play; the message is one sentence."""


class LostClusterError(ClusterError):
    """The cluster was reached, and failed during play."""

    began = True


def on_cluster(work: ShardPlayer[S], shards: Sequence[Shard], address: str) -> Iterator[Part[S]]:
    """Results as they come, each shard once.  Closing the iterator cancels what is under way, here and on the workers.

    The address is ``auto`` (the cluster this machine is part of), ``HOST:PORT`` or ``ray://HOST:PORT``.
    """
    if find_spec("ray") is None:
        raise ClusterError(MISSING)
    waiting, left = enumerate(shards), dict[int, Shard]()
    with _driver() as driver:
        driver.send((address, fingerprint(), pickle.dumps(work)))
        for kind, *facts in _messages(driver, address):
            match kind:
                case "room":
                    taken = dict(islice(waiting, *facts))
                    left |= taken
                    driver.send({number: pickle.dumps(shard) for number, shard in taken.items()})
                case "played" if left.pop(facts[0], None):  # counted once, however often it was played
                    yield pickle.loads(facts[1])  # noqa: S301  # made by Flipdeck of the same fingerprint
                case "again":
                    log.info("%s is played again: %s", left[facts[0]].name, facts[1])
                case "gave up":
                    name = left[facts[0]].name.capitalize()
                    raise LostClusterError(f"{name} failed again and again on the cluster: {facts[1]}")
                case "failed":
                    raise ClusterError(*facts)
                case "done":
                    return
    raise LostClusterError("The cluster went away before all was played.")


# ---------------------------------------------------------------- the driver
@contextmanager
def _driver() -> Iterator[PickleProcess]:
    driver = PickleProcess(cluster_driver.__name__, ENVIRONMENT, silent=True)
    try:
        yield driver
    finally:
        driver.close_input()
        driver.stdout.close()  # it may be writing a result that nobody reads any more
        driver.close()


def _messages(driver: PickleProcess, address: str) -> Iterator[tuple[Any, ...]]:
    """The messages of the driver until its end; the first must come before the connection times out."""
    timeout = Timer(CONNECT_SECONDS, driver.kill)
    timeout.start()
    try:
        first = driver.receive()
    finally:
        timeout.cancel()
    if first is None:
        where = "of this machine" if address == "auto" else f"at {address}"
        raise ClusterError(f"The cluster {where} can't be reached: nothing there answers as a Ray cluster does.")
    yield first
    while (message := driver.receive()) is not None:
        yield message
