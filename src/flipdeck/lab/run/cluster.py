"""A run on a Ray cluster: the same shards, the same results, on as many machines as the cluster has.

    this process  ──pipe──  driver (a process of its own)  ──Ray──  workers, one a processor, on any machine

Ray lives in the driver alone.  It writes where it likes, tries again without end, and takes its process down when the
cluster goes away: seen from here all of that is one ``ClusterError``, and closing the iterator ends the driver, which
ends whatever it has started.
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

from . import cluster_driver
from .child_process import ChildProcess
from .cluster_worker import fingerprint
from .shards import Part, RunError, S, Shard, ShardPlayer

CONNECT_SECONDS = 15.0
SURROUNDINGS = {
    "PYTHONWARNINGS": "ignore",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_gcs_rpc_server_reconnect_timeout_s": "20",  # then a cluster whose head is gone is given up
}
MISSING = "This needs Ray: install it with  pip install 'flipdeck[cluster]'"

log = logging.getLogger(__name__)


class ClusterError(RunError):
    """The cluster can't be reached or can't play; the message says so in a sentence."""


class LostClusterError(ClusterError):
    """It was reached, and failed while it played."""

    began = True


def on_cluster(work: ShardPlayer[S], shards: Sequence[Shard], address: str) -> Iterator[Part[S]]:
    """Results as they come, each shard once.  Closing the iterator ends what is under way, here and on the workers.

    The address is ``auto`` (the cluster this machine is part of), ``HOST:PORT`` or ``ray://HOST:PORT``.
    """
    if find_spec("ray") is None:
        raise ClusterError(MISSING)
    waiting, left = enumerate(shards), dict[int, Shard]()
    with _driver() as driver:
        driver.give((address, fingerprint(), pickle.dumps(work)))
        for kind, *facts in _told(driver, address):
            match kind:
                case "room":
                    taken = dict(islice(waiting, *facts))
                    left |= taken
                    driver.give({number: pickle.dumps(shard) for number, shard in taken.items()})
                case "played" if left.pop(facts[0], None):  # counted once, whatever the workers did
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
def _driver() -> Iterator[ChildProcess]:
    driver = ChildProcess(cluster_driver.__name__, SURROUNDINGS, silent=True)
    try:
        yield driver
    finally:
        driver.dismiss()
        driver.stop_listening()
        driver.see_off()


def _told(driver: ChildProcess, address: str) -> Iterator[tuple[Any, ...]]:
    """What the driver tells, until it has no more to say; it must reach the cluster in good time."""
    patience = Timer(CONNECT_SECONDS, driver.kill)
    patience.start()
    try:
        first = driver.told()
    finally:
        patience.cancel()
    if first is None:
        where = "of this machine" if address == "auto" else f"at {address}"
        raise ClusterError(f"The cluster {where} can't be reached: nothing there answers as a Ray cluster does.")
    yield first
    while (told := driver.told()) is not None:
        yield told
