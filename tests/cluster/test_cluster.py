"""Runs on a real Ray cluster give what threads give, though workers and machines die; all that is started ends."""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress

import numpy as np
import pytest

from flipdeck import child_process
from flipdeck.bulk.batches import Setting
from flipdeck.lab.experiments import MatchJob
from flipdeck.lab.run import cluster
from flipdeck.lab.run.arena import Arena
from flipdeck.lab.run.cluster import ClusterError, LostClusterError, on_cluster
from flipdeck.lab.run.execution import on_threads
from flipdeck.lab.run.shards import Part, Shard
from flipdeck.lab.stats.summary import Summary
from tests.lab.process_tree import below, has_ended
from tests.patience import HANG

JOB = MatchJob(Setting("classic", players=4, policies=("eager",)), seed=bytes(range(32)), games=20_000, keep=True)
FEW = JOB.shards()[:4]
PLAYING = "ray::play_there"  # what Ray calls a worker that does
# Ray takes the loopback address at its word only where it thinks that there can be no cluster
LOOPBACK = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_USAGE_STATS_ENABLED": "0"}


class TwoMachines:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.address = self._read()

    def _read(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def add_machine(self) -> int:
        assert self.process.stdin is not None
        print(file=self.process.stdin, flush=True)
        return int(self._read())

    def workers(self) -> list[int]:
        return [*below(self.process.pid, "ray::play_there"), *below(self.process.pid, "ray::IDLE")]

    def seize(self, machine: int | None = None) -> int | None:
        """Stop a worker in the middle of a shard; None where nobody plays just now."""
        above = self.process.pid if machine is None else machine
        for worker in below(above, PLAYING):
            os.kill(worker, signal.SIGSTOP)
            if worker in below(above, PLAYING):
                return worker
            os.kill(worker, signal.SIGCONT)  # it had just finished
        return None


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster that can be reached is reached, however long it takes; and whoever is slow to end is waited for."""
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", HANG)
    monkeypatch.setattr(child_process, "CLOSE_SECONDS", HANG)


@pytest.fixture(scope="module")
def machines() -> Iterator[TwoMachines]:
    # not pytest's own folder: the sockets that Ray makes in it can't have a longer name
    with tempfile.TemporaryDirectory(prefix="ray-") as folder, pytest.MonkeyPatch.context() as patch:
        for name, value in {**LOOPBACK, "RAY_TMPDIR": folder}.items():
            patch.setenv(name, value)
        patch.delenv("RAY_ADDRESS", raising=False)
        with subprocess.Popen(  # a module of ours
            [sys.executable, "-W", "ignore", "-m", "tests.cluster.ray_cluster"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process:
            yield TwoMachines(process)
            started = below(process.pid)
            process.communicate(timeout=HANG)
        assert all(has_ended(pid) for pid in started)


@pytest.fixture(scope="module")
def on_this_machine() -> list[Part[Summary]]:
    return in_order(on_threads(JOB, JOB.shards(), 2))


def in_order(results: Iterator[Part[Summary]]) -> list[Part[Summary]]:
    return sorted(results, key=lambda result: result.shard.number)


def assert_same(some: Sequence[Part[Summary]], others: Sequence[Part[Summary]]) -> None:
    assert [result.shard for result in some] == [result.shard for result in others]
    for one, other in zip(some, others, strict=True):
        assert one.summary == other.summary
        assert np.array_equal(one.rows, other.rows)  # type: ignore[arg-type]


# ---------------------------------------------------------------- dying workers
def test_a_worker_killed_in_the_middle_changes_nothing_and_counts_nothing_twice(
    machines: TwoMachines, on_this_machine: list[Part[Summary]], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, cluster.__name__)
    results = on_cluster(JOB, JOB.shards(), machines.address)
    played, victims = [next(results)], []
    while "is played again: WorkerCrashedError" not in caplog.text:  # it may have played all but the last stroke
        if victim := machines.seize():
            os.kill(victim, signal.SIGKILL)
            victims.append(victim)
        played += [next(results) for _ in range(10)]
    played += results
    assert all(has_ended(victim) for victim in victims)
    assert_same(in_order(iter(played)), on_this_machine)


def test_a_machine_lost_in_the_middle_changes_nothing_and_counts_nothing_twice(
    machines: TwoMachines, on_this_machine: list[Part[Summary]], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, cluster.__name__)
    machine = machines.add_machine()
    results = on_cluster(JOB, JOB.shards(), "auto")
    played = [next(results)]
    while (worker := machines.seize(machine)) is None:
        played.append(next(results))
    os.kill(machine, signal.SIGKILL)
    os.kill(worker, signal.SIGKILL)
    played += results
    assert "is played again" in caplog.text
    assert_same(in_order(iter(played)), on_this_machine)


# ---------------------------------------------------------------- arenas
def test_an_arena_gives_on_a_cluster_what_it_gives_here(machines: TwoMachines) -> None:
    setting = Setting("classic", 2, {"hand_size": 3, "scoring": "quick"})
    arena = Arena(setting, ("rookie", "casual"), 12, bytes(range(32)))
    parts = sorted(on_cluster(arena, arena.shards(), machines.address), key=lambda part: part.shard.number)
    assert [part.shard for part in parts] == list(arena.shards())
    for part in parts:
        here = arena.play(part.shard).summary
        assert np.array_equal(part.summary.table, here.table)
        assert [cost.decisions for cost in part.summary.costs] == [cost.decisions for cost in here.costs]


# ---------------------------------------------------------------- ending
def test_closing_the_results_ends_the_driver_and_what_its_workers_play(machines: TwoMachines) -> None:
    results = on_cluster(JOB, JOB.shards(), machines.address)
    with closing(results):  # type: ignore[type-var]
        next(results)
        started = [*below(os.getpid(), "cluster_driver"), *machines.workers()]
        assert len(started) >= 2
    assert all(has_ended(pid) for pid in started)


# ---------------------------------------------------------------- refusals
def test_a_shard_that_always_fails_is_named_and_given_up(machines: TwoMachines) -> None:
    shards = [*FEW, Shard(number=77, first=2**70, count=10)]  # no such match: numbers have 64 bits
    results = on_cluster(JOB, shards, machines.address)
    with pytest.raises(LostClusterError, match=r"Shard 77 \(matches \d+ to \d+\) failed again and again .*Error: "):
        list(results)


def test_a_worker_with_other_rules_is_refused(machines: TwoMachines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "fingerprint", lambda: "of other rules")
    with pytest.raises(ClusterError, match=r"The worker on .* has another Flipdeck, .*: install the same versions"):
        next(on_cluster(JOB, FEW, machines.address))


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("127.0.0.1:1", "The cluster at 127.0.0.1:1 can't be reached: Connection refused."),
        ("ray://127.0.0.1:1", "The cluster at ray://127.0.0.1:1 can't be reached: Connection refused."),
        ("nonsense", "'nonsense' is not the address of a cluster: write auto, HOST:PORT or ray://HOST:PORT."),
        ("here:99999", "'here:99999' is not the address of a cluster: write auto, HOST:PORT or ray://HOST:PORT."),
        ("", "'' is not the address of a cluster: write auto, HOST:PORT or ray://HOST:PORT."),
    ],
)
def test_a_cluster_that_cannot_be_reached_is_told_in_a_sentence(
    address: str, sentence: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ClusterError) as refused:
        next(on_cluster(JOB, FEW, address))
    assert str(refused.value) == sentence
    assert capfd.readouterr() == ("", "")
    assert not below(os.getpid(), "cluster_driver")


def test_auto_heeds_the_address_that_ray_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    with pytest.raises(ClusterError, match=r"The cluster at 127.0.0.1:1 can't be reached"):
        next(on_cluster(JOB, FEW, "auto"))


def test_something_else_that_listens_is_given_up_in_time(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    class Patience(threading.Thread):
        """Instead of so many seconds: until Ray has said something, and is waiting for an answer."""

        def __init__(self, seconds: float, give_up: Callable[[], None]) -> None:
            super().__init__(daemon=True)
            assert seconds == cluster.CONNECT_SECONDS
            self._give_up = give_up

        def run(self) -> None:
            with suppress(OSError):  # it was given up without us
                while not (line := server.accept()[0]).recv(1):  # a first line is only to see whether anybody is here
                    line.close()
                self._give_up()
                line.close()

        def cancel(self) -> None:
            server.close()
            self.join()

    monkeypatch.setattr(cluster, "Timer", Patience)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(ClusterError, match=rf"The cluster at {address} can't be reached: nothing there answers"):
            next(on_cluster(JOB, FEW, address))
    assert capfd.readouterr() == ("", "")
    assert not below(os.getpid(), "cluster_driver")
