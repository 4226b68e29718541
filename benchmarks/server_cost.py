"""What a move costs the server: beside its peer, and beside an earlier version of itself."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import median

from .measuring import Effort, Row, in_turns, ratio_of
from .server_peer import colyseus
from .server_process import BUILD, SEATS, Commanded, ours, progress

TABLES, RATE = 250, 500  # moves a second, at all tables together
KEPT_BAR = 1.7
AGAINST_BAR = 0.85
PACES = {RATE: "", 0: ", no pauses"}
PEERS = {
    "kept": ("plain", "both keep it"),
    "plain": ("plain", "the peer only in memory"),
    "schema": ("schema", "the peer only in memory, by Schema"),
}
_HOW = {
    "kept": "Colyseus with plain messages, a whole view for each; every move is kept before it is acknowledged, by "
    "node:sqlite in a thread, with the same log, the same pause between commits, and synchronous FULL as ours.",
    "plain": "Colyseus with plain messages, a whole view for each; nothing outlives its process.",
    "schema": "Colyseus with state that is synchronized by changes, filtered by a StateView for each; nothing outlives "
    "its process.",
}

Side = tuple[Commanded, Commanded]  # a server and its load
Figures = dict[str, list[float]]


class Contest:
    """Servers that are measured in turns: what each computes for a move, and what its clients read."""

    def __init__(self, effort: Effort, sides: Mapping[str, Side]) -> None:
        self.effort = effort
        self.seconds = 3 if effort.quick else 8
        self.bytes: dict[str, float] = {}
        self._sides = sides

    def at(self, rate: int) -> Figures:
        """Seconds of the processor for a move; a rate of 0 is as fast as they are answered."""
        return self._in_turns(rate, self.effort.turns)

    def warm(self, rate: int) -> None:
        self._in_turns(rate, 1)

    def _in_turns(self, rate: int, turns: int) -> Figures:
        return in_turns({name: partial(self._cost, name, *side, rate) for name, side in self._sides.items()}, turns)

    def _cost(self, name: str, server: Commanded, load: Commanded, rate: int) -> float:
        progress(f"{name}, {f'{rate} moves a second' if rate else 'no pauses'}")
        before, moves = server.cpu(), self.seconds * (rate or RATE)
        told = load.ask("play", moves, rate)
        self.bytes[name] = told["bytes"] / moves
        return (server.cpu() - before) / moves


# ---------------------------------------------------------------- beside the peer
def cost(effort: Effort) -> list[Row]:
    tables = effort.size(TABLES)
    with ExitStack() as running:
        us = running.enter_context(ours(tables))
        us.load.ask("seat", us.server.port, tables)
        sides: dict[str, Side] = {"ours": (us.server, us.load)}
        for name, (way, _) in PEERS.items():
            peer = running.enter_context(colyseus(way, tables, keeps=name == "kept"))
            sides[name] = (peer.server, peer.load)
        contest = Contest(effort, sides)
        contest.warm(0)
        figures = {pace: contest.at(pace * tables // TABLES) for pace in PACES}
    rows = [
        _row(f"server CPU for a move, {words}{PACES[pace]}", figures[pace], name, _note(name, pace, tables, contest))
        for name, (_, words) in PEERS.items()
        for pace in PACES
    ]
    return [*rows, _at_most(figures[0])]


def _row(what: str, figures: Figures, peer: str, note: str) -> Row:
    times = ratio_of(figures["ours"], figures[peer])
    mine, theirs = (f"{1e6 * median(figures[side]):.0f} µs" for side in ("ours", peer))
    bar = KEPT_BAR if peer == "kept" else None
    bars = "" if bar is None else f"≤ {bar:g} ×"
    return Row(what, mine, theirs, f"{times:.2f} ×", bars, None if bar is None else times <= bar, note)


def _note(peer: str, rate: int, tables: int, contest: Contest) -> str:
    pace = f"{rate * tables // TABLES} moves a second in all" if rate else "each table's next move as soon as possible"
    return (
        f"{tables} tables of {SEATS}, every seat a websocket, {pace}: one action in, an acknowledgement and {SEATS} "
        f"different views out; {contest.bytes['ours']:,.0f} bytes a move are read by our clients, "
        f"{contest.bytes[peer]:,.0f} by the peer's. User and system time of the server's process with its threads; "
        f"ours keeps every move before it acknowledges. {_HOW[peer]}"
    )


def _at_most(figures: Figures) -> Row:
    rates = {name: 1 / median(each) for name, each in figures.items()}
    others = ", ".join(f"{PEERS[name][1]}: {rates[name]:,.0f}" for name in PEERS if name != "kept")
    return Row(
        "moves a second that one core could serve, both keep it",
        f"{rates['ours']:,.0f}",
        f"{rates['kept']:,.0f}",
        f"{ratio_of(figures['kept'], figures['ours']):.2f} ×",
        note=f"One second by the CPU for a move without pauses; {others}.",
    )


# ---------------------------------------------------------------- beside an earlier version
def against(effort: Effort, commit: str) -> list[Row]:
    """The same load for this version and for another, in turns, under the same Python."""
    tables, root = effort.size(TABLES), files_of(commit)
    with ours(tables) as us, ours(tables, root=root) as them:
        for each in (us, them):
            each.load.ask("seat", each.server.port, tables)
        contest = Contest(effort, {"ours": (us.server, us.load), "then": (them.server, them.load)})
        contest.warm(0)
        figures = {pace: contest.at(pace * tables // TABLES) for pace in PACES}
    return [_then(f"server CPU for a move, now and then{PACES[pace]}", figures[pace], commit) for pace in PACES]


def _then(what: str, figures: Figures, commit: str) -> Row:
    times = ratio_of(figures["ours"], figures["then"])
    now, then = (f"{1e6 * median(figures[side]):.0f} µs" for side in ("ours", "then"))
    each = ", ".join(f"{a / b:.2f}" for a, b in zip(figures["ours"], figures["then"], strict=True))
    note = f"Against {commit}, the same Python and the same libraries, in turns; the ratios of neighbors: {each}."
    return Row(what, now, then, f"{times:.2f} ×", f"≤ {AGAINST_BAR:g} ×", times <= AGAINST_BAR, note)


def files_of(commit: str) -> Path:
    """The files of a commit, in a folder of ``build``."""
    name = subprocess.run(
        ["git", "rev-parse", "--short=12", f"{commit}^{{commit}}"],  # noqa: S607
        cwd=BUILD.parent,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    folder = BUILD / f"then-{name}"
    if not folder.exists():
        packed = subprocess.run(["git", "archive", name], cwd=BUILD.parent, check=True, capture_output=True).stdout  # noqa: S607
        folder.mkdir(parents=True)
        subprocess.run(["tar", "-x", "-C", str(folder)], input=packed, check=True)  # noqa: S607
    return folder
