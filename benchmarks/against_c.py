"""How near we come to C: against ``simple_round.c``, a smaller game written by hand for speed alone.

``python -m benchmarks.against_c PART ROUNDS TURNS`` is a run of ours with one part of the rules made cheap, in a
process of its own: what the part costs is what is gained.  It breaks the game and is good for nothing else.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import cast

from flipdeck.core.rules import chance, log, order, piles, uno
from flipdeck.core.rules.chance import MASK
from flipdeck.core.state import Game

from .against_peers import compiled_loop
from .measuring import Effort, Row, contest, in_turns, one_core, run_program, run_python

SOURCE = Path(__file__).with_name("simple_round.c")
PROTOTYPE = 0.65  # the figure the design began with


@dataclass(frozen=True)
class Part:
    what: str
    cheapen: Callable[[], None]


def rows(effort: Effort) -> tuple[list[Row], str]:
    """The contest, and a paragraph on what keeps us from the speed of C."""
    compiler = shutil.which("cc")
    if compiler is None:
        return [Row("random play against C", "", note="No C compiler here (`cc`).")], ""
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "simple_round")
        run_program(compiler, "-O3", "-march=native", str(SOURCE), "-o", program)
        with one_core():
            ours = compiled_loop("random", effort.size(1000))
            figures = in_turns({"ours": ours, "C": lambda: play_c(program, effort.size(5000))}, effort.turns)
    row = contest(
        "random play against C (a simplified game)",
        figures["ours"],
        figures["C"],
        "decisions/s",
        note="`simple_round.c` with -O3 -march=native: one side, no UNO, no challenges, no options, no events, "
        f"xorshift shuffles. No bar; an early prototype had {PROTOTYPE} of a C game of its own.",
    )
    return [row], "" if effort.quick else limits(effort)


def play_c(program: str, rounds: int) -> float:
    decisions, seconds = map(float, run_program(program, str(rounds), "1").split())
    return decisions / seconds


# ---------------------------------------------------------------- what the parts cost
def cheap_word(g: Game) -> int:
    x = g.words[0] | 1
    x ^= (x << 13) & MASK
    x ^= x >> 17
    x ^= (x << 5) & MASK
    g.words[0] = x
    return x


def no_telling(_g: Game, _what: int, _seat: int, _thing: int) -> None:
    return


def no_uno(_g: Game, _seat: int, _uno: int) -> None:
    return


def no_turning(_cards: list[int], _size: int) -> None:
    return


def seat_of_four(g: Game, steps: int) -> int:
    return g.turn + steps * g.direction & 3


def swap(rule: Callable[..., object], cheaper: Callable[..., object]) -> Callable[[], None]:
    """Put other code into the very function that Numba is given later; it reads the globals of its own module."""

    def do() -> None:
        cast(FunctionType, rule).__code__ = cast(FunctionType, cheaper).__code__

    return do


PARTS = {
    "nothing": Part("nothing", lambda: None),
    "shuffles": Part("ChaCha8 instead of xorshift", swap(chance.random_word, cheap_word)),
    "turning": Part("turning both piles over at every Flip", swap(piles.turn_over, no_turning)),
    "events": Part("the log of events", swap(log.tell, no_telling)),
    "uno": Part("UNO, late or missed, and catches", swap(uno.came_down_to_one, no_uno)),
    "players": Part("a number of players that is read at run time", swap(order.seat_after, seat_of_four)),
}


def limits(effort: Effort) -> str:
    speeds = {part: speed_with(part, effort) for part in PARTS}
    costs = [
        f"{part.what} {max(0.0, 1 - speeds['nothing'] / speeds[name]):.0%}"
        for name, part in PARTS.items()
        if name != "nothing"
    ]
    return (
        "What lies between this and C. A sampling profile of random play finds three quarters of the time in the loop "
        "of decisions itself (whom to ask, legal moves, the move carried out, all inlined), a tenth in drawing cards, "
        "a tenth in shuffling and a twentieth in turning the piles over. Making one part cheap at a time says what it "
        f"takes of a decision: {'; '.join(costs)}. Some per cent are noise, and a game so changed is another game. The "
        "rest was not taken apart. What is known of it: a random decision here has 3.8 legal moves to write and choose "
        "from, 2.8 in the C game. What is likely: every lookup goes through the side in play and a pairing that is "
        "data, not a constant, and two dozen options are read from the record where C has nothing to ask."
    )


def speed_with(part: str, effort: Effort) -> float:
    with tempfile.TemporaryDirectory() as cache:  # what is compiled from broken rules must never be found again
        return float(
            run_python(
                "-m", "benchmarks.against_c", part, str(effort.size(1000)), str(3 * effort.turns), FLIPDECK_CACHE=cache
            )
        )


def run_cheaper(name: str, rounds: int, turns: int) -> float:
    PARTS[name].cheapen()
    with one_core():
        # the best turn, since the runs that are compared come one after the other, not in turns
        return max(in_turns({name: compiled_loop("random", rounds)}, turns)[name])


if __name__ == "__main__":
    print(run_cheaper(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
