"""How strong the bots are, and what they cost: ``python -m benchmarks.bots [--quick] [--only WORD]``.

Every contest is a run of ``flipdeck arena`` with a seed, so anybody can repeat any line.  Runs are kept in
``build/bots``: one that was interrupted goes on where it stopped.  After each its row in ``BOTS.md`` beside this file
is replaced; the others stay.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .bots_cost import cost_rows
from .bots_document import line_of, read_lines, write_lines
from .measuring import Row

HERE = Path(__file__).parent
DOCUMENT, RUNS = HERE / "BOTS.md", HERE.parent / "build" / "bots"
SEED = "bots"


@dataclass(frozen=True)
class Contest:
    """One bot against others that are all the same, in single rounds of the classic edition, seats in rotation."""

    what: str
    one: str
    others: str
    seats: int
    rounds: int
    bar: float | None = None  # the share of rounds that the one must win; None: more than its fair share, surely
    pairing: str = "shuffled"
    most_turns: int | None = None  # 95 of 100 rounds must end within so many

    @property
    def title(self) -> str:
        return f"{self.what}, {'2 seats' if self.seats == 2 else f'one of {self.seats}'}, {self.pairing}"

    @property
    def name(self) -> str:
        return f"{self.one}-{self.others}-{self.seats}-{self.pairing}".replace(":", "-")

    def command(self, quick: bool) -> list[str]:
        bots = ",".join([self.one, *[self.others] * (self.seats - 1)])
        rounds = max(self.seats * 5, self.rounds // 20) if quick else self.rounds
        told = ["arena", "--bots", bots, "--seats", str(self.seats), "--rounds", str(rounds), "--edition", "classic"]
        return [*told, "--option", f"pairing={self.pairing}", "--seed", SEED]


def both_seats(what: str, one: str, others: str, rounds: int) -> tuple[Contest, Contest]:
    return Contest(what, one, others, 2, rounds), Contest(what, one, others, 4, rounds)


CONTESTS = (
    Contest("Regular against random play", "regular", "random", 2, 10_000, 0.65),
    Contest("Regular against random play", "regular", "random", 4, 10_000, 0.33),
    *both_seats("Casual against Rookie", "casual", "rookie", 10_000),
    *both_seats("Regular against Casual", "regular", "casual", 10_000),
    *both_seats("Sharp against Regular", "sharp", "regular", 2000),
    Contest("Master against Sharp", "master", "sharp", 2, 200),
    Contest("Master against Sharp", "master", "sharp", 4, 120),
    *both_seats("Net against Regular", "net", "regular", 10_000),
    Contest("Master against Regular", "master", "regular", 2, 240, 0.88, "printed"),
    Contest("Master against Regular", "master", "regular", 4, 240, 0.58, "printed"),
    Contest("Master against Regular", "master", "regular", 2, 240, 0.66),
    Contest("Master against Regular", "master", "regular", 4, 240, 0.42),
    Contest("Master against itself", "master", "master", 2, 120, None, "printed", most_turns=200),
    Contest("Master against itself", "master", "master", 2, 120, None, most_turns=200),
    Contest("Master at 250 ms against 25 ms", "master:250ms", "master:25ms", 2, 48, 0.53, "printed"),
    Contest("Master at 250 ms against 25 ms", "master:250ms", "master:25ms", 2, 320, 0.53),
)


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the bots against each other.")
    parser.add_argument("--quick", action="store_true", help="a twentieth of the rounds; BOTS.md stays as it is")
    parser.add_argument("--only", default="", metavar="WORD", help="the contests whose name has this in it; or cost")
    args = parser.parse_args()
    lines = read_lines(DOCUMENT)
    missed = 0
    for row in measured(args.quick, args.only):
        print(f"{row.what}: {row.ours}  {row.bar}  {row.verdict}", flush=True)
        missed += row.passed is False
        if not args.quick:
            lines[row.what] = line_of(row)
            write_lines(DOCUMENT, lines.values(), [contest.title for contest in CONTESTS])
    print(f"\nbars missed: {missed}" if missed else "\nevery bar is met")
    return 1 if missed else 0


def measured(quick: bool, only: str) -> Iterator[Row]:
    for contest in CONTESTS:
        if only in contest.name:
            yield row_of(contest, run(contest, quick), " ".join(["flipdeck", *contest.command(quick)]))
    if only in ("", "cost"):
        yield from cost_rows(quick)


def run(contest: Contest, quick: bool) -> dict[str, Any]:
    """The result of the arena; played, taken up again or read from where an earlier run left it."""
    folder = RUNS / f"{'quick-' if quick else ''}{contest.name}"
    arguments = [*contest.command(quick), "--out", str(folder), "--json"]
    jobs = str(len(os.sched_getaffinity(0)))  # the Master plays by the clock: no more at once than there are cores
    done = subprocess.run(
        [sys.executable, "-m", "flipdeck", *arguments, "--jobs", jobs], stdout=subprocess.PIPE, text=True, check=True
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def row_of(contest: Contest, result: dict[str, Any], command: str) -> Row:
    share, (low, high) = result["win_rate"][0], result["interval"][0]
    turns = result["turns"]
    fair = 1 / contest.seats
    told = f"{100 * share:.1f} % ({100 * low:.1f} to {100 * high:.1f}), {result['rounds']:,} rounds"
    if contest.most_turns is not None:
        told = f"95 of 100 rounds within {turns['p95']} turns, mean {turns['mean']:.0f}, {result['rounds']:,} rounds"
        bar, passed = f"≤ {contest.most_turns}", turns["p95"] <= contest.most_turns and not result["given_up"]
    elif contest.bar is None:
        bar, passed = f"> {100 * fair:.0f} %, interval apart", low > fair
    else:
        bar, passed = f"≥ {100 * contest.bar:.0f} %", share >= contest.bar
    return Row(contest.title, told, bar=bar, passed=passed, note=f"`{command}`")


if __name__ == "__main__":
    sys.exit(main())
