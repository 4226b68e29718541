"""A soak test: ``python -m benchmarks.soak [--minutes 15]``.

A server of its own (``flipdeck serve``), tables that come and go for a quarter of an hour, and its memory read every
few seconds.  It has to end within 10 MB of where it was after two minutes; exit code 1 if it does not.  Ctrl-C ends
both processes, and tells what was seen until then.  It reads ``/proc``, so it needs Linux.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from time import monotonic, sleep

import msgspec

BUILD = Path(__file__).parent.parent / "build"  # a disk, which the folder for temporary files need not be
BAR_MB = 10.0
WARM_SECONDS = 120.0
SAMPLE_SECONDS, SHOW_SECONDS = 2.0, 15.0
SETTLED = 10  # samples of which the median counts, at the beginning and at the end
SETTINGS = {
    "FLIPDECK_SLEEP_SECONDS": "5",  # so that tables sleep all the time
    "FLIPDECK_PROXIES": "127.0.0.1",  # the load comes from many addresses
    "FLIPDECK_LOG_LEVEL": "error",
}
BARS = "▁▂▃▄▅▆▇█"


def main() -> int:
    parser = argparse.ArgumentParser(description="Run tables for a quarter of an hour, and watch the server's memory.")
    parser.add_argument("--minutes", type=float, default=15.0, help="how long; 15 unless told")
    parser.add_argument("--rate", type=float, default=80.0, help="moves a second, at all tables together")
    told = parser.parse_args()
    if sys.platform != "linux":
        print("This reads what a process takes from /proc, which only Linux has.", file=sys.stderr)
        return 2
    if told.minutes * 60 < 2 * WARM_SECONDS:
        print(f"At least {2 * WARM_SECONDS / 60:g} minutes: the first two do not count.", file=sys.stderr)
        return 2
    for number in (signal.SIGINT, signal.SIGTERM):  # a shell that starts it in the background has the first ignored
        signal.signal(number, signal.default_int_handler)
    soak = Soak(told.minutes * 60, told.rate)
    try:
        soak.run()
    except KeyboardInterrupt:
        print("\ninterrupted")
        soak.tell()
        return 130
    return soak.tell()


class Soak:
    def __init__(self, seconds: float, rate: float) -> None:
        self._seconds = seconds
        self._rate = rate
        self._samples: list[tuple[float, float]] = []  # seconds since the start, megabytes
        self._done: dict[str, int] = {}

    def run(self) -> None:
        BUILD.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=BUILD, prefix="soak-") as folder, served(Path(folder)) as (server, port):
            orders = [sys.executable, "-m", "benchmarks.soak_load", str(port), str(self._seconds), str(self._rate)]
            with ended(subprocess.Popen(orders, stdout=subprocess.PIPE, start_new_session=True)) as load:
                self._watch(server, load)

    def _watch(self, server: subprocess.Popen[bytes], load: subprocess.Popen[bytes]) -> None:
        began, shown = monotonic(), 0.0
        assert load.stdout is not None  # noqa: S101  # it was asked for
        os.set_blocking(load.stdout.fileno(), False)
        print(
            f"{'minute':>7} {'MB':>7} {'since 2:00':>10}  moves, matches, tables made, woken, watched, guesses",
            flush=True,
        )
        while (now := monotonic() - began) < self._seconds:
            if server.poll() is not None or load.poll() is not None:
                who = "server" if server.poll() is not None else "load"
                raise SystemExit(f"The {who} ended after {now:.0f} s.")
            self._samples.append((now, resident_mb(server.pid)))
            for line in (load.stdout.read() or b"").splitlines():
                self._done = msgspec.json.decode(line)
            if now >= shown:
                shown += SHOW_SECONDS
                self._show(now)
            sleep(SAMPLE_SECONDS)

    def _show(self, now: float) -> None:
        early = self._early()
        since = "" if early is None else f"{self._samples[-1][1] - early:+10.1f}"
        counts = ", ".join(f"{each:,}" for each in self._done.values())
        print(f"{now // 60:4.0f}:{now % 60:02.0f} {self._samples[-1][1]:7.1f} {since:>10}  {counts}", flush=True)

    def _early(self) -> float | None:
        """What it had after the first two minutes."""
        after = [mb for at, mb in self._samples if at >= WARM_SECONDS]
        return median(after[:SETTLED]) if after else None

    def tell(self) -> int:
        """The exit code."""
        early = self._early()
        if early is None:
            print("It did not last two minutes: nothing to tell.")
            return 1
        late = median([mb for _, mb in self._samples[-SETTLED:]])
        print(f"\n{sparkline([mb for _, mb in self._samples])}  {self._seconds / 60:g} minutes")
        met = late - early <= BAR_MB
        print(f"after two minutes {early:.1f} MB, at the end {late:.1f} MB: {late - early:+.1f} MB")
        print(f"bar: at most {BAR_MB:+g} MB: {'met' if met else 'MISSED'}")
        return 0 if met else 1


def sparkline(values: Sequence[float], width: int = 72) -> str:
    step = max(1.0, len(values) / width)
    picked = [values[int(at * step)] for at in range(min(width, len(values)))]
    low, high = min(picked), max(picked)
    return "".join(BARS[int((each - low) / ((high - low) or 1) * (len(BARS) - 1))] for each in picked)


def resident_mb(process: int) -> float:
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextmanager
def served(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """``flipdeck serve`` on a free port."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        port = door.getsockname()[1]
    command = [sys.executable, "-m", "flipdeck", "serve", "--port", str(port), "--data", str(folder / "data")]
    starting = subprocess.Popen(
        command, env={**os.environ, **SETTINGS}, stdout=subprocess.DEVNULL, start_new_session=True
    )
    with ended(starting) as server:
        end = monotonic() + 120
        while not answers(port):
            if server.poll() is not None or monotonic() > end:
                raise SystemExit("The server did not start.")
            sleep(0.1)
        yield server, port


def answers(port: int) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
        return bool(answer.status == 200)
    return False


@contextmanager
def ended(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """A process that ends with the block, gracefully if it can."""
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


if __name__ == "__main__":
    sys.exit(main())
