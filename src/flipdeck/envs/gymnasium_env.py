"""The Gymnasium ``Env``: one seat against opponents by name: a bot (``regular``, ``net``, ``cmd:…``) or a policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from ..core.errors import BadOption, BadRequest
from .batch import GameBatch, Rules
from .compiled.episode import TERMINATED, TRUNCATED
from .opponents import OtherSeats, names_of
from .records import match_of, say_again
from .spaces import MASK, action_space, observation_space


class FlipdeckEnv(gymnasium.Env[Any, Any]):
    metadata: dict[str, Any] = {"render_modes": [], "render_fps": 2}  # noqa: RUF012  # as Gymnasium declares it

    def __init__(
        self, players: int = 2, opponents: str | Sequence[str] = "regular", render_mode: str | None = None, **rules: Any
    ) -> None:
        """The learner's seat moves on from episode to episode.  ``rules``: see ``Rules``."""
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            known = " or ".join(self.metadata["render_modes"]) or "None"
            raise BadOption("not-a-choice", name="render_mode", value=render_mode, known=known)
        self.rules = Rules(players, **rules)
        self.batch = GameBatch(self.rules, again=False, keep_words=True)
        self.opponents = OtherSeats(self.batch, names_of(opponents, players))
        self.batch.episodes["seating"][0, :players] = self.opponents.seating()
        self.batch.episodes["turning"] = 1
        self.observation_space, self.action_space = observation_space(self.rules), action_space(self.rules)
        self.render_mode = render_mode
        self.learner = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        if seed is not None or not self.batch.episodes["run_key"].any():
            self.batch.seed([int(self.np_random.integers(2**62)) if seed is None else seed])
        while True:
            self.batch.deal()
            self.learner = int(np.flatnonzero(self.batch.episodes["drivers"][0, : self.rules.players] == -1)[0])
            self.opponents.begin(self.learner)
            self.opponents.play()
            if self.batch.running[0]:
                break
        return self.told(self.learner)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if not self.batch.running[0]:
            raise BadRequest("batch-illegal", game=0, action=int(action))
        self.batch.step(np.array([action]))
        self.opponents.play()
        seen, info = self.told(self.learner)
        ended, reward = int(self.batch.ended[0]), float(self.batch.gains[0, self.learner])
        return seen, reward, ended == TERMINATED, ended == TRUNCATED, info

    def told(self, seat: int) -> tuple[Any, dict[str, Any]]:
        """The observation and the info of a seat; the seed of the match only when it has ended."""
        seen, mask = self.batch.seen_by(seat)
        info: dict[str, Any] = {"seat": seat, MASK: mask.copy()}
        if not self.batch.running[0]:
            info["seed"] = self.batch.seed_of_last()
        return seen | {MASK: mask}, info

    def action_masks(self) -> Any:
        """Which actions are legal, as MaskablePPO asks for it."""
        return self.batch.masks[0].astype(np.bool_)

    def record(self) -> str:
        """The episode that has ended as a record: ``flipdeck replay`` and the page show it."""
        if self.batch.running[0]:
            raise BadRequest("round-not-over")
        match = match_of(self.rules, self.batch.seed_of_last())
        say_again(match, self.batch.words_of(0, int(self.batch.episodes["number"][0])))
        return match.record()
