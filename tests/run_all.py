"""Everything that decides, side by side: ``python -m tests.run_all``, which is what ``make test`` runs.

    python -m tests.run_all               all jobs
    python -m tests.run_all checks core   these alone

The rules are compiled and the page is built first, because most tests need them: compilation has a core for itself,
and other jobs share what is left.  Checks, the tests of the page's components and the tests of the core (with coverage,
which slows down what it watches) run beside the rest.  A job's output is shown when it fails, and kept in
``build/test-logs``; that of the tests is shown as it comes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / "build" / "test-logs"
PYTHON = sys.executable
CORES = os.cpu_count() or 1
SHARED = ("-n", str(CORES + 1), "--dist", "loadfile", "--no-loadscope-reorder")  # some tests wait for sockets
LONG = "tests/core/long"
CLUSTER = "tests/cluster"  # needs Ray: `make test-cluster`
DEPLOY = "tests/deploy"  # needs nginx and Caddy: `make test-deploy`
LOOK = 0.05  # seconds between two looks at what runs


@dataclass
class Job:
    """Some commands, one after the other, that can begin when other jobs have ended."""

    name: str
    commands: tuple[tuple[str, ...], ...]
    after: tuple[str, ...] = ()
    large: bool = False  # it never waits for a core
    shown: bool = False  # its output as it comes; else only when it fails
    done: bool = False
    failed: bool = False
    _left: list[tuple[str, ...]] = field(default_factory=list)
    _process: subprocess.Popen[bytes] | None = None
    _began: float = 0.0

    @property
    def log(self) -> Path:
        return LOGS / f"{self.name}.log"

    @property
    def running(self) -> bool:
        return self._process is not None

    def start(self) -> None:
        self._began, self._left = monotonic(), list(self.commands)
        self.log.write_bytes(b"")
        self._next()

    def _next(self) -> None:
        command = self._left.pop(0)
        with self.log.open("ab") as log:
            if self.shown:
                self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL)
            else:
                self._process = subprocess.Popen(
                    command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
                )

    def look(self) -> None:
        """Go on with the next command, or come to an end."""
        if self._process is None or (code := self._process.poll()) is None:
            return
        if code == 0 and self._left:
            self._next()
            return
        self._process, self.done, self.failed = None, True, code != 0
        said = self.log.read_text(encoding="utf-8", errors="replace").strip()
        told = f"{'FAILED' if self.failed else 'passed'}: {self.name} ({monotonic() - self._began:.0f} s)"
        print(f"{told} {said.rpartition(chr(10))[2].strip('= ')}\n{said if self.failed else ''}".strip(), flush=True)

    def end(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()


def jobs() -> list[Job]:
    def python(*arguments: str) -> tuple[str, ...]:
        return (PYTHON, *arguments)

    def pytest(*arguments: str) -> tuple[str, ...]:
        return python("-m", "pytest", *arguments)

    rooms = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests").iterdir() if _has_tests(path))
    return [
        Job("compile", (python("-m", "flipdeck", "warm"),)),
        Job("page", (python("web/make.py"),)),
        Job("compile-for-tests", (python("-m", "tests.warm"),)),
        Job(
            "tests", (pytest(*SHARED, *rooms, LONG),), ("compile", "page", "compile-for-tests"), large=True, shown=True
        ),
        Job("checks", (
            python("-m", "ruff", "check", "."),
            python("-m", "ruff", "format", "--check", "."),
            python("-m", "mypy"),
            (str(Path(PYTHON).with_name("lint-imports")),),
            python("-m", "flipdeck.wire", "--check"),
        )),
        Job("core", (pytest("-q", "tests/core", f"--ignore={LONG}", "--cov", "--cov-report=term"),)),
        Job("page-checks", (python("web/make.py", "check"), python("web/make.py", "test")), ("page",)),
    ]  # fmt: skip


def _has_tests(path: Path) -> bool:
    if path.name in ("core", "cluster", "deploy"):
        return False  # the first has a job of its own, the others environments
    return path.name.startswith("test_") or (path.is_dir() and any(path.glob("test_*.py")))


def run(wanted: list[Job]) -> bool:
    """Whether all passed.  What needs a failed job is not begun."""
    by_name = {job.name: job for job in wanted}
    try:
        while _start(wanted, by_name) or any(job.running for job in wanted):
            sleep(LOOK)
            for job in wanted:
                job.look()
    except KeyboardInterrupt:
        print("\nInterrupted.", flush=True)
        for job in wanted:
            job.end()
        return False
    return all(job.done and not job.failed for job in wanted)


def _start(wanted: Iterable[Job], by_name: dict[str, Job]) -> bool:
    """Begin what can begin and finds a core free, in order; whether anything did."""
    began = False
    for job in wanted:
        ready = all(by_name[name].done and not by_name[name].failed for name in job.after)
        busy = sum(each.running for each in wanted)
        if ready and not job.done and not job.running and (job.large or busy < CORES):
            job.start()
            began = True
    return began


def chosen(names: Sequence[str]) -> list[Job]:
    """All jobs, or those with these names, which then wait for nobody else."""
    every = {job.name: job for job in jobs()}
    if unknown := set(names) - set(every):
        sys.exit(f"There is no job called {', '.join(sorted(unknown))}; there are {', '.join(every)}.")
    for job in every.values():
        job.after = tuple(name for name in job.after if not names or name in names)
    return [job for name, job in every.items() if not names or name in names]


def main(names: Sequence[str]) -> int:
    LOGS.mkdir(parents=True, exist_ok=True)
    began, wanted = monotonic(), chosen(names)
    with tempfile.TemporaryDirectory() as skips:
        os.environ["FLIPDECK_SKIPS"] = skips
        passed = run(wanted)
        skipped = [line for path in sorted(Path(skips).iterdir()) for line in path.read_text("utf-8").splitlines()]
    for job in wanted:
        if not job.done:
            print(f"Not run: {job.name}")
    print(*skipped or ["Nothing was skipped."], sep="\n")
    failed = ", ".join(job.name for job in wanted if job.failed)
    print(
        f"All passed in {monotonic() - began:.0f} s." if passed else f"Failed: {failed or 'interrupted'}.", flush=True
    )
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
