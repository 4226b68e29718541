"""The shuffles of an interpreter are those of the rules, to the bit."""

from __future__ import annotations

from random import Random

import pytest

from flipdeck.core import editions, shuffling
from flipdeck.core.rules import chance
from flipdeck.core.rules.chance import DEAL
from flipdeck.core.rules.deal import new_match, new_round
from flipdeck.core.seeds import key_words
from flipdeck.core.setting_up import game_with
from flipdeck.core.shuffling import BLOCK, new_match_quickly, new_round_quickly, shuffle_quickly
from flipdeck.core.state import Game


def new_game(dice: Random, name: str, **changed: object) -> Game:
    options = editions.edition(name).options.changed(changed)
    g = game_with(options, dice.randint(2, 4))
    g.key[:] = key_words(dice.randbytes(32))
    return g


@pytest.mark.parametrize(
    ("name", "pairing"), [*((name, "shuffled") for name in editions.NAMES), ("classic", "printed")]
)
def test_a_match_begins_as_the_rules_begin_it(name: str, pairing: str) -> None:
    dice = Random(name)
    for _ in range(25):
        slow = new_game(dice, name, pairing=pairing)
        quick = slow.copy()
        new_match(slow)
        new_match_quickly(quick)
        assert quick == slow
        for _ in range(3):
            dealer = dice.randrange(slow.players)
            new_round(slow, dealer)
            new_round_quickly(quick, dealer)
            assert quick == slow


def test_a_match_after_a_match_begins_with_nothing_of_it() -> None:
    slow = new_game(Random(1), "classic")
    for seat in range(slow.players):
        slow.scores[seat] = 7
    slow.round, slow.winners, slow.log_size = 3, 1, 5
    quick = slow.copy()
    new_match(slow)
    new_match_quickly(quick)
    assert quick == slow


@pytest.mark.parametrize("size", [2, 16, 17, 108, 112])
def test_words_that_would_favor_some_are_thrown_away_alike(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every third word is 0, which only a power of two can use: so many that the first blocks don't last."""
    dice = Random(size)
    words = [0 if number % 3 else dice.getrandbits(32) for number in range(100 * BLOCK)]

    def refill(g: Game) -> None:
        g.words[:] = words[g.block * BLOCK : (g.block + 1) * BLOCK]
        g.block += 1
        g.words_used = 0

    def blocks_of(_: Game, first: int, count: int) -> list[int]:
        return words[first * BLOCK : (first + count) * BLOCK]

    monkeypatch.setattr(chance, "refill", refill)
    monkeypatch.setattr(shuffling, "blocks_of", blocks_of)
    slow, quick = Game(), Game()
    in_order, quickly = list(range(112)), list(range(112))
    chance.open_stream(slow, DEAL, 0)
    chance.shuffle(slow, in_order, 112 - size, size)
    shuffle_quickly(quick, DEAL, quickly, 112 - size, size)
    assert quickly == in_order
    assert quick == slow
