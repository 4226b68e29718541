"""For every test run: the slowest files start first; the end tells processor time by room and why tests were skipped.

``FLIPDECK_NO_SKIPS=1`` makes a skipped test fail the run: CI has a browser and a database.
"""

from __future__ import annotations

import os
import resource
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.budgets import BUDGETS

HERE = Path(__file__).parent
# Whatever starts last decides when a run ends, so the costliest files start first.
SLOWEST = (
    "web/test_scenes", "web/test_matches", "web/test_looks", "web/test_sizes", "web/test_around", "web/test_tables",
    "web/test_motion", "web/test_listening", "web/test_states", "server/test_killed", "cli/test_arena",
    "bots/test_replayed", "bots/test_every_table", "bots/test_honest", "lab/test_trainer", "cli/test_train",
    "bulk/test_twins", "server/test_evenings", "server/test_leaks", "core/long/test_many_matches",
    "core/long/test_resample",
)  # fmt: skip
PLACE = {name: number for number, name in enumerate(SLOWEST)}
# How long an example takes says nothing about the code on a machine that stalls.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
USED = pytest.StashKey[Counter[str]]()  # milliseconds of processor time, by file


@pytest.fixture(scope="session")
def compiled_rules() -> None:
    """For tests of what a command says: on a machine where nothing is compiled yet it would say that too."""
    from flipdeck.bulk.batches import Setting, play

    list(play(Setting(players=2, policies=("eager",)), bytes(32), 0, 1))


def pytest_configure(config: pytest.Config) -> None:
    config.stash[USED] = Counter()
    if config.pluginmanager.hasplugin("xdist"):
        config.pluginmanager.register(FromWorkers())


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    from tests.grouping import Groups

    return Groups(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: PLACE.get(_name(item.path), len(PLACE)))


def _name(path: Path) -> str:
    return path.relative_to(HERE).with_suffix("").as_posix()


# ---------------------------------------------------------------- processor time
@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    before = _processor_seconds()
    try:
        return (yield)
    finally:
        item.config.stash[USED][_name(item.path)] += round(1000 * (_processor_seconds() - before))


def _processor_seconds() -> float:
    """Of this process, and of those that it started and waited for."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


class FromWorkers:
    """Adds up what the workers of pytest-xdist used."""

    def pytest_testnodedown(self, node: Any) -> None:
        used: Counter[str] = node.config.stash[USED]
        used.update(getattr(node, "workeroutput", {}).get("used", {}))


# ---------------------------------------------------------------- the end of a run
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    to_controller: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
    if to_controller is not None:
        used: Counter[str] = session.config.stash[USED]
        to_controller["used"] = dict(used)
    elif exitstatus == pytest.ExitCode.OK and os.environ.get("FLIPDECK_NO_SKIPS") and _skips(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    say = terminalreporter.write_line
    used = config.stash[USED]
    if sum(used.values()) > 60_000:
        say("Seconds of processor time by room, and its budget:")
        for room, budget in BUDGETS.items():
            seconds = sum(spent for name, spent in used.items() if name.startswith(f"{room}/")) / 1000
            if not seconds:
                continue  # another run has it
            say(f"  {room:8} {seconds:5.0f} of {budget:4}{'  over its budget' if seconds > budget else ''}")
        most = ", ".join(f"{name} {spent / 1000:.0f}" for name, spent in used.most_common(12))
        say(f"  Costliest files: {most}")
    skips = _skips(config)
    if folder := os.environ.get("FLIPDECK_SKIPS"):  # for whoever runs several of these, and ends with all of them
        Path(folder, f"{os.getpid()}.txt").write_text("".join(f"{line}\n" for line in skips), encoding="utf-8")
    for line in skips:
        say(line, red=bool(os.environ.get("FLIPDECK_NO_SKIPS")))


def _skips(config: pytest.Config) -> list[str]:
    """One sentence for each reason: how many tests, in which room, and why."""
    reporter: Any = config.pluginmanager.getplugin("terminalreporter")
    counts = Counter(
        (report.nodeid.split("/")[1], str(report.longrepr[2]).removeprefix("Skipped: "))
        for report in reporter.stats.get("skipped", ())
    )
    return [
        f"Skipped {count} {'test' if count == 1 else 'tests'} of {room}: {reason}"
        for (room, reason), count in sorted(counts.items())
    ]
