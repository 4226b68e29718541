"""Many games stepped together: what every environment here stands on.

In each game one seat is asked at a time.  ``seats[i]`` is asked in game i; it sees ``observations``, may do what
``masks[i]`` allows, and answers with one action.  Policies may sit in the other seats: they are played inside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from ..bulk import policies, twin
from ..bulk.arrays import np
from ..bulk.batches import Setting, run_key
from ..bulk.card_counts import EYES, printed_book
from ..core import editions
from ..core.errors import BadOption, BadRequest
from ..core.seeds import seed_of
from .columns import Array, Layout, observation_named, shape_of
from .compiled import kernels
from .compiled.actions import COMPACT_ACTIONS, FULL_ACTIONS
from .compiled.episode import LEARNER, RUNNING, Episode
from .compiled.events import ROW
from .compiled.stepping import SEAT_OF_WORD

ACTIONS = {"full": FULL_ACTIONS, "compact": COMPACT_ACTIONS}
REWARDS = ("round", "points", "match")
INTERRUPTS = ("asked", "auto")
FORCED = ("asked", "inside")
LIMIT = 2000  # words after which an episode is cut off, unless another limit is set
EVENTS = 2048  # rows of a history
EPISODE = twin.record_of(Episode)
Arrays = dict[str, Any]


@dataclass(frozen=True)
class Rules:
    """What is played, what is seen of it, and what it is worth: the settings of an environment."""

    players: int = 4
    edition: str = editions.DEFAULT
    options: Mapping[str, object] = field(default_factory=dict)
    observation: str = "flat"
    actions: str = "full"
    rewards: str = "round"
    interrupts: str = "asked"
    forced: str = "inside"
    whole_match: bool = False  # an episode is a match; else its first round
    limit: int = LIMIT  # words, asked for or not, after which an episode is cut off

    def __post_init__(self) -> None:
        observation_named(self.observation)
        for name, known in (
            ("actions", tuple(ACTIONS)),
            ("rewards", REWARDS),
            ("interrupts", INTERRUPTS),
            ("forced", FORCED),
        ):
            if getattr(self, name) not in known:
                raise BadOption("not-a-choice", name=name, value=getattr(self, name), known=" or ".join(known))
        if type(self.limit) is not int or not 1 <= self.limit <= 10**6:
            raise BadOption("not-a-number", name="limit", low=1, high=10**6, value=self.limit)
        scoring = self.setting().rules().scoring
        if self.rewards == "points" and scoring == "quick":
            raise BadOption(
                "not-a-choice", name="rewards", value="points", known="round or match: quick scoring counts none"
            )
        if self.rewards == "match" and not self.whole_match:
            raise BadOption(
                "not-a-choice", name="rewards", value="match", known="round or points: an episode is a round here"
            )

    def setting(self) -> Setting:
        return Setting(self.edition, self.players, self.options)

    def episode(self) -> Episode:
        return Episode(
            compact=int(self.actions == "compact"),
            auto=int(self.interrupts == "auto"),
            inside=int(self.forced == "inside"),
            reward=REWARDS.index(self.rewards),
            whole_match=int(self.whole_match),
            own_backs=int(self.setting().rules().own_backs == "shown"),
            limit=self.limit,
            keep_events=int(self.observation == "history"),
        )

    def shapes(self) -> dict[str, tuple[tuple[int, ...], Array]]:
        """The arrays of an observation of one game, by name: their shapes and declarations."""
        cards = self.setting().rules().cards
        arrays = observation_named(self.observation).arrays
        return {each.name: (shape_of(each, self.players, cards, self.actions, EVENTS), each) for each in arrays}


def key_of_seed(seed: int) -> Any:
    """The key of the run of a game that was seeded with a whole number."""
    return run_key(seed_of(f"flipdeck environment {seed}"))


class GameBatch:
    """``size`` games.  Learners sit in all seats, unless ``seat`` says otherwise.

    ``again``: where an episode has ended, the next one is dealt in the same step.  Attributes are buffers that the next
    step overwrites: whoever keeps them copies them, as the environments do.
    """

    def __init__(
        self, rules: Rules, size: int = 1, *, again: bool = True, threads: int = 1, keep_words: bool = False
    ) -> None:
        if type(size) is not int or size < 1:
            raise BadRequest("batch-size", size=size)
        if type(threads) is not int or not 1 <= threads <= 256:
            raise BadOption("not-a-number", name="threads", low=1, high=256, value=threads)
        self.rules, self.size, self.players = rules, size, rules.players
        self._again, self._threads = int(again), min(threads, size)
        self._pool = ThreadPoolExecutor(self._threads - 1) if self._threads > 1 else None
        setting, first = rules.setting(), rules.episode()
        self.games = setting.games(size)
        self.games["logging"] = int(bool(first.keep_events) or setting.rules().reveal_draw_color)
        first.keep_words = int(keep_words)
        self.episodes = np.zeros(size, EPISODE)
        twin.to_record(first, self.episodes[0])
        self.episodes[1:] = self.episodes[0]
        self.episodes["seating"] = LEARNER
        self._said = np.zeros((size, 2, rules.limit if keep_words else 0), np.int32)
        self._history = np.zeros((size, EVENTS if first.keep_events else 0, ROW), np.int16)
        self.masks = np.zeros((size, ACTIONS[rules.actions]), np.int8)
        self.observations = self._arrays()
        self.finals = self._arrays()
        self._steps = [self._step_of(part) for part in range(self._threads)]
        # views into the episodes: always up to date
        self.seats = self.episodes["asked"]
        self.movers = self.episodes["mover"]
        self.ended = self.episodes["ended"]
        self.gains = self.episodes["gains"][:, : self.players]

    # ------------------------------------------------------------ what can be done
    def seed(self, seeds: Sequence[int | None]) -> None:
        """Give games new runs; None leaves that of a game."""
        for i, seed in enumerate(seeds):
            if seed is not None:
                self.episodes["run_key"][i], self.episodes["number"][i] = key_of_seed(seed), -1

    def deal(self, wanted: Any = None) -> None:
        """The next episode in all games, or in those where ``wanted`` is true."""
        chosen = np.ones(self.size, np.bool_) if wanted is None else np.asarray(wanted)
        if chosen.shape != (self.size,) or chosen.dtype != np.bool_:
            raise BadRequest("batch-mask", size=self.size)
        self.episodes["number"][chosen] += 1
        kernels.deal_some(self.games, self.episodes, chosen, twin.move_list(), self._said, self._history)
        self.look()

    def step(self, actions: Any) -> None:
        """One action in every game.  If any is not legal, all are refused and nothing changes."""
        chosen = actions if type(actions) is np.ndarray else np.asarray(actions)
        if chosen.dtype != np.int64:
            if not np.issubdtype(chosen.dtype, np.integer):
                raise BadRequest("batch-actions", size=self.size)
            chosen = chosen.astype(np.int64)
        if chosen.shape != (self.size,):
            raise BadRequest("batch-actions", size=self.size)
        illegal = self._run(chosen)
        if illegal >= 0:
            raise BadRequest("batch-illegal", game=illegal, action=int(chosen[illegal]))

    def say(self, move: int, game: int = 0) -> None:
        """The word of somebody outside, whose turn it is in a game; its number is taken as legal."""
        e = self.episodes[game]
        e["moves"][0], e["actions"][0], e["choices"] = move, 0, 1
        self._run(np.zeros(self.size, np.int64))

    def _run(self, chosen: Any) -> int:
        if self._pool is None:
            return self._run_part(0, chosen)
        illegal = int(kernels.first_illegal(self.episodes, 0, self.size, chosen))
        if illegal < 0:
            others = [self._pool.submit(self._run_part, part, chosen) for part in range(1, self._threads)]
            self._run_part(0, chosen)
            for other in others:
                other.result()
        return illegal

    def _run_part(self, part: int, chosen: Any) -> int:
        kernel, before, after = self._steps[part]
        return int(kernel(*before, chosen, *after))

    def look(self) -> None:
        """Observations and masks of who is asked, without a step."""
        self._look(self.games, self.episodes, self.seats.copy(), self.masks, self.observations)

    def seen_by(self, seat: int, game: int = 0) -> tuple[Arrays, Any]:
        """What a seat of a game sees now, asked or not, and its mask: nothing is legal for who is not asked."""
        if type(seat) is not int or not 0 <= seat < self.players:
            raise BadRequest("no-seat", seat=seat, last=self.players - 1)
        here = slice(game, game + 1)
        obs = {name: np.zeros((1, *array.shape[1:]), array.dtype) for name, array in self.observations.items()}
        if "actions" in obs:
            obs["actions"][:] = -1
        mask = np.zeros((1, self.masks.shape[1]), np.int8)
        self._look(self.games[here], self.episodes[here], np.array([seat]), mask, obs, self._history[here])
        return {name: array[0] for name, array in obs.items()}, mask[0]

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    # ------------------------------------------------------------ what happened
    @property
    def running(self) -> Any:
        return self.episodes["done"] == RUNNING

    def seed_of_last(self, game: int = 0) -> str:
        """The seed of the match that has ended in a game, as ``Match`` takes it."""
        return b"".join(int(word).to_bytes(4, "little") for word in self.episodes["seed"][game]).hex()

    def words_of(self, game: int, number: int, start: int = 0) -> list[tuple[int, int]]:
        """The moves of episode ``number``, this one or the one before, each after its seat; see ``keep_words``."""
        words = self._said[game, number & 1, start:]
        return [divmod(int(word) - 1, 1 << SEAT_OF_WORD) for word in words if word]

    def seat(self, names: Sequence[str | None], turning: bool = True) -> None:
        """Who sits where from the next deal on: the name of a policy, None for a learner.

        ``turning``: everybody moves on by a seat from episode to episode.
        """
        if len(names) != self.players or None not in names:
            raise BadOption("policies", players=self.players, got=len(names))
        for name in names:
            if name is not None and name not in policies.NAMES:
                raise BadOption("not-a-choice", name="policy", value=name, known=" or ".join(policies.NAMES))
        numbers = [LEARNER if name is None else policies.NAMES.index(name) for name in names]
        self.episodes["seating"][:, : self.players] = numbers
        self.episodes["turning"] = int(turning)

    # ------------------------------------------------------------ within
    def _arrays(self) -> Arrays:
        made = {
            name: np.zeros((self.size, *shape), declared.dtype)
            for name, (shape, declared) in self.rules.shapes().items()
        }
        if "actions" in made:
            made["actions"][:] = -1
        return made

    def _starts(self) -> Any:
        first = next(
            array for array in observation_named(self.rules.observation).arrays if array.sections and not array.rows
        )
        return np.array(Layout(first.sections, self.players).starts, np.int64)

    def _step_of(self, part: int) -> tuple[Any, tuple[Any, ...], tuple[Any, ...]]:
        """The kernel of a thread, and its arguments before and after the actions."""
        first, last = (self.size * each // self._threads for each in (part, part + 1))
        before = self.games, self.episodes, first, last
        after = self._again, twin.move_list(), self._said, self._history, self.masks, self._starts()
        obs, finals = self.observations, self.finals
        kind = self.rules.observation
        if kind == "flat":
            return kernels.step_flat, before, (*after, obs["observation"], finals["observation"])
        if kind == "moves":
            space = np.zeros(1, twin.GAME), np.array(printed_book()), np.zeros(EYES)
            return kernels.step_moves, before, (*after, *space, *obs.values(), *finals.values())
        number, rows = TOKENS[kind]
        seen = obs["table"], obs[rows], finals["table"], finals[rows]
        return kernels.step_tokens, before, (*after, number, *seen)

    def _look(self, games: Any, episodes: Any, seats: Any, masks: Any, obs: Arrays, history: Any = None) -> None:
        at, kind = self._starts(), self.rules.observation
        if kind == "flat":
            kernels.look_flat(games, episodes, seats, masks, at, obs["observation"])
        elif kind == "moves":
            space = np.zeros(1, twin.GAME), np.array(printed_book()), np.zeros(EYES)
            kernels.look_moves(games, episodes, seats, masks, at, *space, *obs.values())
        else:
            number, rows = TOKENS[kind]
            past = self._history if history is None else history
            kernels.look_tokens(games, episodes, seats, masks, at, number, past, obs["table"], obs[rows])


TOKENS = {
    "cards": (kernels.CARDS, "cards"),
    "history": (kernels.HISTORY, "events"),
    "state": (kernels.STATE, "hidden_cards"),
}
