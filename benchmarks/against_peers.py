"""Random play as fast as it goes, on one core: our compiled rules, OpenSpiel's C++ and RLCard's Python.

The games differ: theirs are ordinary Crazy Eights (52 cards, none of them special) and ordinary UNO (two players, the
only table RLCard sets).  What is compared is the loop: ask for all legal moves, pick one by dice, carry it out.  Time
is the processor's, so that other work on the machine counts for nobody.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from statistics import median
from time import thread_time
from typing import Any

import numpy as np

from flipdeck.bulk import kernels, twin
from flipdeck.bulk.batches import Setting, play, run_key
from flipdeck.bulk.rows import DECISIONS
from flipdeck.core.seeds import seed_of

from .measuring import Effort, Row, contest, in_turns, one_core, rate

OPEN_SPIEL_BAR, RLCARD_BAR = 4.0, 300.0
SEED = seed_of("against peers")
PLAYERS = 4


def rows(effort: Effort) -> list[Row]:
    spiel, rlcard = SpielLoop(effort.size(1000)), RlcardLoop(effort.size(20))
    contestants: dict[str, Callable[[], float]] = {
        "ours": compiled_loop("random", effort.size(1000)),
        "OpenSpiel": spiel.run,
        "RLCard": rlcard.run,
        "counted": counted_matches(effort.size(100)),
        "eager": compiled_loop("eager", effort.size(10_000)),
    }
    with one_core():
        figures = in_turns(contestants, effort.turns)
    ours, unit = figures["ours"], "decisions/s"
    return [
        contest(
            "random play against OpenSpiel (crazy_eights, C++)",
            ours,
            figures["OpenSpiel"],
            unit,
            OPEN_SPIEL_BAR,
            "4 players both; `evaluate_bots` with its uniform random bots. A decision is an action of a player, "
            "counted from the histories after the clock was stopped; making the states is left out of the time.",
        ),
        contest(
            "… its chance nodes (deals, draws) counted as decisions too",
            ours,
            [figure * spiel.nodes_a_decision() for figure in figures["OpenSpiel"]],
            unit,
            note="Our shuffles are still counted as nothing.",
        ),
        contest(
            "random play against RLCard (uno, Python)",
            ours,
            figures["RLCard"],
            unit,
            RLCARD_BAR,
            "`reset` and `step` with its RandomAgent; the faster of its loops: `run` keeps trajectories as well.",
        ),
        Row(
            "random matches, every round counted for the statistics",
            rate(median(figures["counted"]), unit),
            note="What `flipdeck simulate` does on each core, its deals, pairings and rows of results included.",
        ),
        Row("eager play (plays whenever able)", rate(median(figures["eager"]), unit), note="Short rounds, more deals."),
    ]


def compiled_loop(policy: str, rounds: int) -> Callable[[], float]:
    """Decisions a second over so many rounds of classic, 4 players; events are told, as in any game."""
    setting = Setting("classic", PLAYERS, policies=(policy,))
    games, key, seats = setting.games(), run_key(SEED), setting.policy_numbers()
    out = twin.move_list()

    def run() -> float:
        started = thread_time()
        decisions: int = kernels.time_play(games, key, 0, rounds, seats, out)
        return decisions / (thread_time() - started)

    kernels.time_play(games, key, 0, 1, seats, out)  # compiled before the clock runs
    return run


def counted_matches(matches: int) -> Callable[[], float]:
    setting = Setting("classic", PLAYERS)

    def run() -> float:
        started = thread_time()
        tables = list(play(setting, SEED, 0, matches))
        seconds = thread_time() - started
        return sum(int(np.sum(table[:, DECISIONS])) for table in tables) / seconds

    next(play(setting, SEED, 0, 1))  # compiled before the clock runs
    return run


class SpielLoop:
    """Whole games of OpenSpiel's ``crazy_eights`` between its own random bots, all in C++."""

    def __init__(self, games: int) -> None:
        pyspiel: Any = import_module("pyspiel")
        self._evaluate = pyspiel.evaluate_bots
        self._game = pyspiel.load_game("crazy_eights", {"players": PLAYERS})
        self._bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(PLAYERS)]
        self._games = games
        self.decisions = self.chances = 0

    def run(self) -> float:
        states = [self._game.new_initial_state() for _ in range(self._games)]
        started = thread_time()
        for number, state in enumerate(states):
            self._evaluate(state, self._bots, number)
        seconds = thread_time() - started
        actions = [action.player for state in states for action in state.full_history()]
        decisions = sum(1 for player in actions if player >= 0)
        self.decisions += decisions
        self.chances += len(actions) - decisions
        return decisions / seconds

    def nodes_a_decision(self) -> float:
        return (self.decisions + self.chances) / self.decisions


class RlcardLoop:
    """Whole games of RLCard's ``uno`` between its own random agents."""

    def __init__(self, games: int) -> None:
        self._env: Any = import_module("rlcard").make("uno", config={"seed": 1})
        self._agent: Any = import_module("rlcard.agents").RandomAgent(self._env.num_actions)
        self._games = games

    def run(self) -> float:
        env, agent, decisions = self._env, self._agent, 0
        started = thread_time()
        for _ in range(self._games):
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(agent.step(state))
                decisions += 1
        return decisions / (thread_time() - started)
