"""The compiled twin of the rules: a NumPy record made from ``Game``, and the very functions of ``core`` given to Numba.

No rule is written here.  Numba's own file cache does not notice a change in an imported module, so the cache lives in a
folder named by a hash of every source that goes into it: a changed rule is compiled again.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import sys
import types
from collections.abc import Callable, Iterable
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

from ..core import codes, scoring
from ..core.rules import challenge, chance, deal, effects, hands, legal, log, moves, order, piles, turn, uno
from ..core.state import Game
from . import (
    acting,
    card_counts,
    determinize,
    evaluation,
    features,
    fingerprint,
    heuristic,
    ismcts,
    learning,
    playing,
    policies,
    rows,
)
from .arrays import intrinsic, leading_zeros, np, numba, overload_method, register_jitable

RULES = (codes, scoring, challenge, chance, deal, effects, hands, legal, log, moves, order, piles, turn, uno)
PLAYERS = heuristic, policies, card_counts, features, learning, evaluation, determinize, ismcts
COMPILED = (*RULES, *PLAYERS, rows, playing, fingerprint, acting)
# compiled once, by ``kernels``, and called from several entry points
ENTRIES = {"play_round", "play_out"}

# Left to itself LLVM keeps forty calls and runs at half the speed, so everything is inlined by force but what is
# called rarely or is large: inlining that too compiles twice as long and gains nothing.
OUT_OF_LINE = {
    *("refill", "random_word", "random_below", "shuffle", "tell", "flip", "reverse", "make_next_draw"),
    *("turn_pile_into_stock", "draw_card", "pay", "flip_everything", "accept", "challenge", "catch"),
    *(
        "add_uno_calls",
        "add_of_rank",
        "add_of_face",
        "may_interrupt",
        "redraw_opening",
        "bring_up_an_opener",
        "draw_for_the_deal",
    ),
    *("finish", "void_round", "new_round", "new_match", "pair_faces", "choose_dealer", "index_faces"),
    *("take_key", "start_match", "start_next_round", "observe", "count_hand", "action_of", "copy_of"),
    *("trace_round", "mix_result", "pick_steadily", "best_play", "worth_of_flip", "power"),
    *(
        "select_branch",
        "play_by_prior",
        "play_steadily",
        "begin_descent",
        "descend",
        "backpropagate",
        "deal_world",
        "deal_narrow",
    ),
    *(
        "weigh_moves",
        "remember_cards",
        "look_around",
        "see_card",
        "cross_out",
        "write_features",
        "write_seat",
        "write_own",
    ),
    *("forward", "forward_from", "from_first", "backward", "sound_moves"),
}


def cache_folder() -> Path:
    """The cache of compiled code: ``FLIPDECK_CACHE``, or the user's own cache folder."""
    root = os.environ.get("FLIPDECK_CACHE") or os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(root) / "flipdeck" / f"compiled-{_hash_of_sources()}"


def _writable(folder: Path) -> Path:
    """The folder, or a temporary one if it can't be written: Numba's own fallback is a folder without our hash."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return folder
    except OSError:
        private = TemporaryDirectory(prefix="flipdeck-")
        atexit.register(private.cleanup)
        return Path(private.name)


def _hash_of_sources() -> str:
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {sys.version_info[:2]}".encode())
    package = Path(__file__).parent.parent
    sources = "core/**/*.py", "bulk/*.py", "envs/compiled/*.py"
    for path in sorted(path for pattern in sources for path in package.glob(pattern)):
        digest.update(str(path.relative_to(package)).encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def record_of(state: type[Any]) -> np.dtype[np.void]:
    """The NumPy record type of a dataclass of integers and fixed-size rows."""
    columns: list[Any] = [
        (f.name, f.metadata["kind"], (f.metadata["size"],)) if f.metadata else (f.name, "i8") for f in fields(state)
    ]
    return np.dtype(columns, align=True)


GAME = record_of(Game)


def to_record(game: Any, record: Any) -> None:
    for f in fields(game):
        record[f.name] = getattr(game, f.name)


def from_record(record: Any) -> Game:
    """The game of a record, for the facade and for tests."""
    values = {f.name: record[f.name].tolist() for f in fields(Game)}
    return Game(**values)


# Numba compares the parameters of the two, annotations and all, so neither has any
@overload_method(numba.types.Integer, "bit_length")
def _bit_length(number):  # type: ignore[no-untyped-def]
    del number
    return lambda number: 64 - leading_zeros(number)  # type: ignore[call-arg]  # a typing context comes first


@intrinsic
def _population(typing, number):  # type: ignore[no-untyped-def]
    """How many bits are set: one instruction."""
    del typing

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        del context, signature
        return builder.ctpop(arguments[0])

    return numba.types.int64(number), generate


@overload_method(numba.types.Integer, "bit_count")
def _bit_count(number):  # type: ignore[no-untyped-def]
    del number
    return lambda number: _population(np.int64(number))  # type: ignore[call-arg]  # a typing context comes first


def _functions(modules: Iterable[types.ModuleType]) -> Iterable[types.FunctionType]:
    for module in modules:
        for thing in list(vars(module).values()):
            if isinstance(thing, types.FunctionType) and thing.__module__ == module.__name__:
                yield thing


# No function of ours makes an array, so none has to count references to one: a third faster.  (Numba spells it so.)
_WITHOUT_COUNTING = {"_nrt": False}

_prepared = False


def prepare() -> None:
    """Register the functions with Numba, once, and set its cache folder."""
    global _prepared  # noqa: PLW0603  # registering twice would leave two twins of every rule
    if _prepared:
        return
    _prepared = True
    numba.config.CACHE_DIR = str(_writable(cache_folder()))  # type: ignore[attr-defined]
    register(COMPILED, ENTRIES, OUT_OF_LINE)


def register(modules: Iterable[types.ModuleType], entries: set[str], out_of_line: set[str]) -> None:
    """Let compiled code call the functions of these modules; ``entries`` are compiled by whoever registers them."""
    for function in _functions(modules):
        if function.__name__ not in entries:
            inline = function.__name__ not in out_of_line
            register_jitable(forceinline=inline, **_WITHOUT_COUNTING)(function)


def compiled(function: Callable[..., Any]) -> Any:
    """Compile an entry point: cached, without the interpreter lock."""
    return numba.njit(cache=True, nogil=True, **_WITHOUT_COUNTING)(function)  # type: ignore[call-overload]


def move_list() -> Any:
    """Space for the legal moves of one seat; every thread needs its own."""
    return np.empty(moves.MAX_MOVES, np.int64)
