"""The leak test passes where nothing leaks, and finds leaks that are put in on purpose."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from flipdeck.bulk import twin
from flipdeck.core.codes import DARK
from flipdeck.core.reading import hand_in_order
from flipdeck.core.rules.legal import speaker
from flipdeck.envs import testing
from flipdeck.envs.batch import GameBatch, Rules
from flipdeck.envs.testing import LeakFound, leak_test
from tests.envs.test_batch import any_rules
from tests.thorough import THOROUGH

TABLES = 40 if THOROUGH else 5
SEEN = ("flat", "cards", "moves", "history")


def kept(rules: Rules) -> GameBatch:
    return GameBatch(rules, again=False, keep_words=True)


@pytest.mark.parametrize("observation", SEEN)
def test_nothing_leaks_at_any_table(observation: str) -> None:
    dice, compared = random.Random(f"leaks {observation}"), 0
    for number in range(TABLES):
        rules = any_rules(dice, observation=observation, whole_match=dice.random() < 0.3)
        compared += leak_test(kept(rules), 40, number)
    assert compared > 100 * TABLES


@pytest.mark.parametrize("options", [{"own_backs": "hidden"}, {"jump_in": True}, {"reveal_draw_color": True}])
@pytest.mark.parametrize("observation", SEEN)
def test_nothing_leaks_with_the_options_that_show_or_hide(observation: str, options: dict[str, object]) -> None:
    for number, edition in enumerate(("classic", "splash", "argentina", "mild-wild")):
        forced, actions = ("asked", "inside")[number % 2], ("full", "compact")[number // 2]
        rules = Rules(3, edition, options, observation, actions, forced=forced)
        assert leak_test(kept(rules), 60, number) > 100


def test_the_state_is_found_to_leak() -> None:
    with pytest.raises(LeakFound, match="hidden_cards"):
        leak_test(kept(Rules(observation="state")))


def front_of_another(batch: GameBatch, seat: int) -> int:
    g = twin.from_record(batch.games[0])
    return g.faces[g.side + hand_in_order(g, (seat + 1) % g.players)[0]]


def back_of_own(batch: GameBatch, seat: int) -> int:
    g = twin.from_record(batch.games[0])
    return g.faces[DARK - g.side + hand_in_order(g, seat)[0]]


def next_card(batch: GameBatch, _seat: int) -> int:
    g = twin.from_record(batch.games[0])
    return g.faces[g.side + g.stock[g.stock_size - 1]]


def number_of_a_card(batch: GameBatch, seat: int) -> int:
    return hand_in_order(twin.from_record(batch.games[0]), seat)[0]


def seed_of_the_match(batch: GameBatch, _seat: int) -> int:
    return int(batch.games["key"][0, 0])


def guilt(batch: GameBatch, _seat: int) -> int:
    return int(batch.games["guilty"][0]) if batch.games["phase"][0] == 2 else 0


LEAKS: dict[str, tuple[Callable[[GameBatch, int], int], dict[str, object]]] = {
    "the front of a card in another hand": (front_of_another, {}),
    "the back of an own card": (back_of_own, {"own_backs": "hidden"}),
    "the front of the next card": (next_card, {}),
    "the number of a card": (number_of_a_card, {}),
    "the seed": (seed_of_the_match, {}),
    "whether a Wild Draw was a bluff": (guilt, {}),
}


@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_put_in_on_purpose_is_found(name: str) -> None:
    leak, options = LEAKS[name]

    class Leaky(GameBatch):
        def seen_by(self, seat: int, game: int = 0) -> tuple[dict[str, Any], Any]:
            seen, mask = super().seen_by(seat, game)
            seen["observation"][0] = leak(self, seat) % 256
            return seen, mask

    with pytest.raises(LeakFound, match=r"seat \d is told what it can't know"):
        leak_test(Leaky(Rules(3, options=options, forced="asked"), again=False, keep_words=True), 600)


def test_asking_only_who_can_jump_in_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(testing, "seat_to_ask", lambda g, _e: speaker(g))
    with pytest.raises(LeakFound, match="is told what it can't know"):
        leak_test(kept(Rules(3, options={"jump_in": True}, forced="asked")), 200)


def test_telling_that_a_keep_was_forced_is_found() -> None:
    """A count of the questions that were asked: with forced moves played inside, it tells of the drawn card."""

    class Counting(GameBatch):
        def step(self, actions: Any) -> None:
            super().step(actions)
            self.episodes["rng"] += 1  # no policy needs it here

        def seen_by(self, seat: int, game: int = 0) -> tuple[dict[str, Any], Any]:
            seen, mask = super().seen_by(seat, game)
            seen["asked"] = int(self.episodes["rng"][0])
            return seen, mask

    batch = Counting(Rules(3, forced="inside"), again=False, keep_words=True)
    with pytest.raises(LeakFound, match="has drawn fits"):
        leak_test(batch, 600)
