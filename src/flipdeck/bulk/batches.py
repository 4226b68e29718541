"""Batches from Python: settings, tables of rounds, rollouts.  ``kernels`` does the work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..core import editions
from ..core.errors import BadOption, BadRequest
from ..core.options import Options
from ..core.seeds import BYTES, key_words, seed_of
from ..core.setting_up import game_with
from ..core.state import Game
from . import kernels, policies, rows, twin
from .arrays import np
from .playing import take_key

ROWS = 4096  # rounds in one table
IntArray = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Setting:
    """What is played, and by whom: an edition, its changed options, and a policy for each seat (or one for all)."""

    edition: str = editions.DEFAULT
    players: int = 4
    options: Mapping[str, object] = field(default_factory=dict)
    policies: Sequence[str] = ("random",)

    def __post_init__(self) -> None:
        self.rules().check_players(self.players)
        for name in self.policies:
            if name not in policies.NAMES:
                raise BadOption("not-a-choice", name="policy", value=name, known=" or ".join(policies.NAMES))
        if len(self.policies) not in (1, self.players):
            raise BadOption("policies", players=self.players, got=len(self.policies))

    def rules(self) -> Options:
        return editions.edition(self.edition).options.changed(self.options)

    def game(self) -> Game:
        return game_with(self.rules(), self.players)

    def games(self, size: int = 1) -> Any:
        """Game records with these options, not dealt."""
        games = np.zeros(size, twin.GAME)
        twin.to_record(self.game(), games[0])
        games[1:] = games[0]
        return games

    def policy_numbers(self) -> IntArray:
        names = [self.policies[seat % len(self.policies)] for seat in range(self.players)]
        return np.array([policies.NAMES.index(name) for name in names], np.int64)


def run_key(seed: bytes) -> IntArray:
    return np.array(key_words(seed_of(seed)), np.int64)


def play(setting: Setting, seed: bytes, first: int, count: int) -> Iterator[IntArray]:
    """Play matches ``first`` to ``first + count`` of a run: tables of finished rounds, in order."""
    games, key, seats = setting.games(), run_key(seed), setting.policy_numbers()
    table, cursor, out = np.zeros((ROWS, rows.WIDTH), np.int64), np.zeros(4, np.int64), twin.move_list()
    while cursor[0] < count:
        filled = kernels.play_matches(games, key, first, count, seats, out, table, cursor)
        yield table[:filled].copy()


def seed_of_match(setting: Setting, seed: bytes, number: int) -> bytes:
    """The seed of one match of a run, to replay it through ``Match``."""
    g = setting.game()
    take_key(g, run_key(seed).tolist(), number)
    return b"".join(word.to_bytes(4, "little") for word in g.key)


def roll_out(
    roots: Sequence[Game], setting: Setting, count: int, seed: bytes = bytes(BYTES), first: int = 0
) -> tuple[IntArray, IntArray]:
    """Play the round of each root to its end ``count`` times: winners [root, k] and points [root, k, seat].

    Each rollout has its own shuffles and policy dice, by its number; piles and hands start as in the root.
    """
    if count < 1:
        raise BadRequest("batch-size", size=count)
    for root in roots:
        if root.players != setting.players:
            raise BadRequest("batch-players", players=root.players, seats=setting.players)
    games = np.zeros(len(roots), twin.GAME)
    for record, root in zip(games, roots, strict=True):
        twin.to_record(root, record)
    games["logging"] = 0
    winners = np.zeros((len(roots), count), np.int64)
    points = np.zeros((len(roots), count, setting.players), np.int64)
    seats, scratch = setting.policy_numbers(), np.zeros(1, twin.GAME)
    kernels.roll_out(games, scratch, run_key(seed), first, seats, twin.move_list(), winners, points)
    return winners, points
