"""The tests on a bad machine: ``python -m tests.load``, which is what ``make test-loaded`` runs.

Busy loops take the processor, and a disturber stops a random process of the run for a moment, again and again (SIGSTOP,
SIGCONT): whatever depends on the speed of the machine fails.  The whole suite runs once, then the rooms that start
processes three times in a row.  Everything ends by itself: the loops with this process, a run after ``--minutes``.

    python -m tests.load                              as make test-loaded
    python -m tests.load --once tests/server -x       one run of pytest, with these arguments
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.run_all import CLUSTER, DEPLOY, PYTHON, ROOT, SHARED
from tests.seeding import rng_for

LOOPS = 4
ROOMS = ("tests/server", "tests/bots", "tests/lab", "tests/cli")
TIMES = 3


@dataclass(frozen=True)
class Disturber:
    """How often some process of a run stands still, and for how long: seconds, from the least to the most."""

    pause: tuple[float, float] = (1.0, 4.0)
    stop: tuple[float, float] = (0.5, 2.0)

    def disturb(self, root: int, over: threading.Event, chance: Random) -> int:
        """Stop processes below ``root`` until it is over; how often one was stopped."""
        count = 0
        while not over.wait(chance.uniform(*self.pause)):
            candidates = sorted(below(root))
            if candidates and stop_for(chance.choice(candidates), chance.uniform(*self.stop), over):
                count += 1
        return count


def stop_for(process: int, seconds: float, over: threading.Event) -> bool:
    """Whether it could be stopped.  By its file descriptor, so that no other process with its number is continued."""
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return False
    try:
        if _state(process)[0] in "TtZX":  # a test has stopped it, or it has ended
            return False
        signal.pidfd_send_signal(handle, signal.SIGSTOP)
        over.wait(seconds)
    except ProcessLookupError:
        return False
    finally:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(handle, signal.SIGCONT)
        os.close(handle)
    return True


def below(root: int) -> set[int]:
    """A process and all its descendants, in whatever session they are."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (state := _state(int(entry.name))):
            parents[int(entry.name)] = state[1]
    found, wave = {root}, {root}
    while wave:
        wave = {child for child, parent in parents.items() if parent in wave} - found
        found |= wave
    return found


def _state(process: int) -> tuple[str, int]:
    """The letter of its state, and its parent."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return "X", 0
    return fields[0], int(fields[1])


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """Loops that do nothing but take the processor.  As daemons they end with this process."""
    processes = [multiprocessing.Process(target=_spin, daemon=True) for _ in range(loops)]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.terminate()
            process.join()


def _spin() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = os.getppid()
    while os.getppid() == parent:
        for _ in range(1_000_000):
            pass


def run(command: Sequence[str], loops: int, disturber: Disturber, minutes: float, chance: Random) -> int:
    """The exit code of a command on a bad machine; it is ended when it takes longer than some minutes."""
    over = threading.Event()
    stopped: list[int] = []
    with busy(loops):
        process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL)
        disturbing = threading.Thread(target=lambda: stopped.append(disturber.disturb(process.pid, over, chance)))
        disturbing.start()
        try:
            code = process.wait(minutes * 60)
        except (subprocess.TimeoutExpired, KeyboardInterrupt) as why:
            print(f"Ended: {'interrupted' if isinstance(why, KeyboardInterrupt) else f'{minutes:g} minutes are over'}.")
            process.terminate()
            code = process.wait() or 1
        finally:
            over.set()
            disturbing.join()
    print(f"Beside {loops} busy loops; {stopped[0]} times a process stood still. Exit code {code}.", flush=True)
    return code


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__.partition("\n")[0])
    parser.add_argument("--once", nargs=argparse.REMAINDER, help="run pytest with these arguments, once")
    parser.add_argument("--loops", type=int, default=LOOPS, help="busy loops (default: %(default)s)")
    parser.add_argument("--pause", type=float, nargs=2, default=Disturber.pause, help="seconds between two stops")
    parser.add_argument(
        "--stop", type=float, nargs=2, default=Disturber.stop, help="seconds that a process stands still"
    )
    parser.add_argument("--minutes", type=float, default=60.0, help="longest time of a run (default: %(default)s)")
    args = parser.parse_args()
    pytest = (PYTHON, "-m", "pytest", *SHARED)
    page = (PYTHON, "web/make.py", "test")
    cluster = (str(ROOT / ".venv-cluster" / "bin" / "python"), "-m", "pytest", CLUSTER)
    every = [
        (*pytest, "tests", f"--ignore={CLUSTER}", f"--ignore={DEPLOY}"),
        page,
        cluster,
        *[(*pytest, *ROOMS)] * TIMES,
    ]
    runs = every if args.once is None else [(*pytest, *args.once)]
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # whoever ends this ends the run and the loops too
    chance = rng_for("disturber")
    for number, command in enumerate(runs, 1):
        print(f"Run {number} of {len(runs)}: {' '.join(command[1:])}", flush=True)
        if code := run(command, args.loops, Disturber(tuple(args.pause), tuple(args.stop)), args.minutes, chance):
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
