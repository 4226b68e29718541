"""Who sits at the tables of these tests: bots by name, and somebody careless in the seats that don't matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

from flipdeck.bots import Bot
from flipdeck.bots.match_runner import replay_for
from flipdeck.bots.player import BotPlayer, in_earnest
from flipdeck.bots.registry import NAMES, bot_named
from flipdeck.core.cards import Seat
from flipdeck.core.events import Event
from flipdeck.core.match import Match
from flipdeck.core.notation import Draw, Keep, Move
from flipdeck.core.view import View
from tests.thorough import THOROUGH as THOROUGH

LEVELS = NAMES


def bot_of(level: str) -> Bot:
    """A bot that is quick and needs no clock: those who search look at a few worlds, the same ones on every machine."""
    return bot_named({"sharp": "sharp:4worlds", "master": "master:2worlds"}.get(level, level))


class Careless:
    """Says anything legal, though rather a card than none; remembers nothing, so it costs next to nothing."""

    def __init__(self, dice: Random) -> None:
        self._dice = dice

    def see(self, events: Iterable[Event], view: View) -> None:
        pass

    def answer(self, view: View) -> Move | None:
        moves = in_earnest(view.legal, view)
        if view.to_act != view.you:
            return self._dice.choice([*moves, None])
        return self._dice.choice([move for move in moves if not isinstance(move, Draw | Keep)] or moves)


# ---------------------------------------------------------------- one seat at a laid table
def seated(match: Match, bot: Bot | str, seat: int | None = None) -> BotPlayer:
    """A player who has seen the match up to now; on turn, unless a seat is named."""
    place = match.to_act if seat is None else seat
    assert place is not None
    player = BotPlayer(bot_of(bot) if isinstance(bot, str) else bot, place, match.players, match.options, Random(0))
    replay_for(match, Seat(place), player.see)
    return player


def answers(match: Match, bot: Bot | str, times: int, seat: int | None = None) -> Counter[str]:
    """What a seat says with many dice; ``None`` where it lets the moment go."""
    player = seated(match, bot, seat)
    view = match.view(player.memory.seat)
    said: Counter[str] = Counter()
    for number in range(times):
        player.rng = Random(number)
        move = player.answer(view)
        assert move in view.legal or (move is None and view.to_act != view.you)
        said[str(move)] += 1
    return said
