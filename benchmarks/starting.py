"""How long people wait: the import, the help, the first result of bulk play."""

from __future__ import annotations

import resource
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from statistics import median

from .measuring import Effort, Row, in_turns, run_program, run_python, seconds_of

IMPORT_BAR, HELP_BAR = 50.0, 200.0  # ms
WARM_BAR, COLD_BAR = 1.5, 25.0  # s

FIRST_RESULT = """
from flipdeck.bulk.batches import Setting, play
from flipdeck.core.seeds import seed_of
print(sum(len(table) for table in play(Setting("classic", players=4), seed_of("first"), 0, 1)))
"""


def rows(effort: Effort) -> list[Row]:
    # The bytecode of Python files is there from the first start on; some environments forbid to keep it, and then
    # every start would measure the compiler of Python.
    with tempfile.TemporaryDirectory() as bytecode:
        environment = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": bytecode}
        return [*small_starts(effort, environment), *bulk_starts(effort, environment)]


def small_starts(effort: Effort, environment: Mapping[str, str]) -> list[Row]:
    program = str(Path(sys.executable).with_name("flipdeck"))
    contestants: dict[str, Callable[[], float]] = {
        "bare": lambda: seconds_of(lambda: run_python("-c", "pass", **environment)),
        "import": lambda: seconds_of(lambda: run_python("-c", "import flipdeck", **environment)),
        "match": lambda: seconds_of(lambda: run_python("-c", "from flipdeck import Match", **environment)),
        "help": lambda: seconds_of(lambda: run_program(program, "--help", **environment)),
    }
    in_turns(contestants, 1)  # leaves the bytecode
    figures = in_turns(contestants, 3 * effort.turns)
    bare, imported, match, helped = (1000 * median(figures[name]) for name in ("bare", "import", "match", "help"))
    works = in_turns({name: partial(work_of, run) for name, run in contestants.items()}, effort.turns)
    work = {name: 1000 * (median(seconds) - median(works["bare"])) for name, seconds in works.items()}
    return [
        Row(
            "import flipdeck",
            f"{imported - bare:.0f} ms",
            bar=f"< {IMPORT_BAR:g} ms",
            passed=imported - bare < IMPORT_BAR,
            note=f"Median of whole processes, less a Python that does nothing ({bare:.0f} ms); "
            f"{work['import']:.0f} ms of processor.",
        ),
        Row(
            "from flipdeck import Match",
            f"{match - bare:.0f} ms",
            note="`import flipdeck` alone loads its names when they are first asked for; this loads the rules. Counted "
            f"in the same way; {work['match']:.0f} ms of processor.",
        ),
        Row(
            "flipdeck --help",
            f"{helped:.0f} ms",
            bar=f"< {HELP_BAR:g} ms",
            passed=helped < HELP_BAR,
            note="Median of whole processes, the start of Python included; "
            f"{work['help']:.0f} ms of processor without it.",
        ),
    ]


def bulk_starts(effort: Effort, environment: Mapping[str, str]) -> list[Row]:
    run_python("-c", "import flipdeck.bulk.kernels", **environment)  # leaves the bytecode, and compiles nothing else
    times: list[float] = []
    with tempfile.TemporaryDirectory() as cache:

        def first_result() -> float:
            return seconds_of(lambda: run_python("-c", FIRST_RESULT, FLIPDECK_CACHE=cache, **environment))

        worked = work_of(lambda: times.append(first_result()))
        cold = times[0]
        warm = median(first_result() for _ in range(effort.turns))
    return [
        Row(
            "first result of bulk play, warm",
            f"{warm:.2f} s",
            bar=f"≤ {WARM_BAR:g} s",
            passed=warm <= WARM_BAR,
            note="A fresh process plays one match with code compiled before; median of whole processes.",
        ),
        Row(
            "first result of bulk play, cold",
            f"{cold:.1f} s",
            bar=f"≤ {COLD_BAR:g} s",
            passed=cold <= COLD_BAR,
            note=f"The same with nothing compiled yet; one run by the clock on the wall, {worked:.1f} s of processor.",
        ),
    ]


def work_of(run: Callable[[], object]) -> float:
    """Seconds of processor that the processes started by ``run`` took: what is left of noise on a busy machine."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
