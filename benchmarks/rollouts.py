"""Playing a round to its end from the middle, over and over: what search lives on.  One core, processor time."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import count, islice
from statistics import mean, median
from time import thread_time
from typing import Any

import numpy as np

from flipdeck.bulk import kernels, twin
from flipdeck.bulk.batches import Setting, run_key
from flipdeck.bulk.playing import play_out, start_match
from flipdeck.core.rules.moves import MAX_MOVES
from flipdeck.core.seeds import key_words, seed_of
from flipdeck.core.state import OVER, Game

from .measuring import Effort, Row, contest, in_turns, one_core, rate, ratio_of

BAR = 5.0
ROOTS, PLAYERS = 16, 4
SEED = seed_of("rollouts")
# half of the decisions that a round takes on the average, under each policy
HALF_WAY = {"eager": 32, "random": 655, "OpenSpiel": 41}


def rows(effort: Effort) -> list[Row]:
    eager, uniform = Rollouts("eager", effort.size(1500)), Rollouts("random", effort.size(50))
    spiel = SpielSearch(effort.size(1000), rollouts=1)
    bare = SpielSearch(effort.size(100), rollouts=20)
    contestants: dict[str, Callable[[], float]] = {
        "eager": eager.run,
        "OpenSpiel": spiel.run,
        "random": uniform.run,
        "bare": bare.run,
    }
    with one_core():
        figures = in_turns(contestants, effort.turns)
    peers, unit = figures["OpenSpiel"], "rollouts/s"
    length, peer_length = {"eager": eager.length, "random": uniform.length}, spiel.length()
    by_decisions = [figure * peer_length for figure in peers]
    result: list[Row] = []
    for policy in ("eager", "random"):
        note = (
            f"4 players both, {ROOTS} states half-way through a round. Ours take {length[policy]:.0f} decisions to the "
            f"end, random play in crazy_eights {peer_length:.0f} (it ends a game after 100 turns). The peer is the C++ "
            "`MCTSBot.mcts_search` with `RandomRolloutEvaluator`, one rollout a simulation."
        )
        what = f"{policy} rollouts from mid-game against OpenSpiel's MCTS"
        # The bar is on the rollouts that a search would use.  Uniformly random play draws by choice and takes thirty
        # times as long to end a round: shown, so that nobody is misled by the name of a policy, but no rollout of ours.
        result.append(contest(what, figures[policy], peers, unit, BAR if policy == "eager" else None, note))
        decisions = [figure * length[policy] for figure in figures[policy]]
        note = "Rollouts/s times the mean length of a rollout: the lengths of the games set aside."
        result.append(contest(f"… the same in decisions ({policy})", decisions, by_decisions, "decisions/s", note=note))
    result.append(
        Row(
            "OpenSpiel's MCTS with 20 rollouts a simulation",
            "",
            rate(median(figures["bare"]), unit),
            f"{ratio_of(figures['eager'], figures['bare']):.3g} ×",
            note="The search tree costs next to nothing then; the ratio is that of our eager rollouts.",
        )
    )
    return result


class Rollouts:
    """Compiled rollouts from states that the same policy has reached."""

    def __init__(self, policy: str, each: int) -> None:
        setting = Setting("classic", PLAYERS, policies=(policy,))
        self._seats, self._key = setting.policy_numbers(), run_key(SEED)
        self._games = np.zeros(ROOTS, twin.GAME)
        for record, root in zip(self._games, islice(middles(setting, HALF_WAY[policy]), ROOTS), strict=True):
            twin.to_record(root, record)
        self._games["logging"] = 0
        self._each = each
        self._scratch, self._out = np.zeros(1, twin.GAME), twin.move_list()
        self.length = 0.0
        self.run()  # compiled before the clock runs

    def run(self) -> float:
        winners = np.zeros((ROOTS, self._each), np.int64)
        points = np.zeros((ROOTS, self._each, PLAYERS), np.int64)
        started = thread_time()
        decisions = kernels.roll_out(self._games, self._scratch, self._key, 0, self._seats, self._out, winners, points)
        seconds = thread_time() - started
        self.length = decisions / winners.size
        return winners.size / seconds


def middles(setting: Setting, decisions: int) -> Iterator[Game]:
    """Rounds that are still under way after so many decisions."""
    seats: list[int] = setting.policy_numbers().tolist()
    for number in count():
        g = setting.game()
        luck = start_match(g, key_words(SEED), number)
        play_out(g, seats, [0] * MAX_MOVES, luck, decisions)
        if g.phase != OVER:
            yield g


class SpielSearch:
    """OpenSpiel's C++ tree search, from states in the middle of ``crazy_eights`` where there is something to decide."""

    def __init__(self, simulations: int, rollouts: int) -> None:
        pyspiel: Any = import_module("pyspiel")
        game = pyspiel.load_game("crazy_eights", {"players": PLAYERS})
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
        self._bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 1000, False, 1, False)
        self._rollouts = rollouts
        self._dice = random.Random(1)
        self._roots: list[Any] = []
        while len(self._roots) < ROOTS:
            state = game.new_initial_state()
            self._play(state, HALF_WAY["OpenSpiel"])
            if not state.is_terminal() and len(state.legal_actions()) > 1:
                self._roots.append(state)

    def run(self) -> float:
        started = thread_time()
        simulations = sum(int(self._bot.mcts_search(root).explore_count) for root in self._roots)
        return simulations * self._rollouts / (thread_time() - started)

    def length(self) -> float:
        """Decisions from the roots to the end in random play, chance left out."""
        return mean(self._play(root.clone(), -1) for root in self._roots for _ in range(20))

    def _play(self, state: Any, decisions: int) -> int:
        """Play at random for so many decisions, or to the end, and on to the next decision; how many were made."""
        made = 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(self._dice.choices(actions, odds)[0])
            elif made == decisions:
                break
            else:
                state.apply_action(self._dice.choice(state.legal_actions()))
                made += 1
        return made
