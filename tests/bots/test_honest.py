"""A bot knows what its seat was shown, and nothing else: redraw the rest, and it says the same.

Every level plays at random tables; then, up to many a moment of its own, all is shown again in another world with the
same history of views (``films``), and it is asked once more with its dice as they lay.  Each redraw is of one moment.
Sharp and Master look at a few worlds (``seats.bot_of``) in place of a time: no two timed searches are the same.  Then
bots cheat on purpose, and each must be found out.
"""

from __future__ import annotations

import gc
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from types import FunctionType, ModuleType

import pytest

from flipdeck.bots import Bot
from flipdeck.bots.belief.memory import Memory
from flipdeck.bots.match_runner import MatchRunner, Participant
from flipdeck.bots.player import BotPlayer
from flipdeck.bots.random_bot import RandomBot
from flipdeck.core.events import Event
from flipdeck.core.match import Match
from flipdeck.core.notation import Accept, Challenge, Move
from flipdeck.core.state import Game
from flipdeck.core.view import View
from tests.bots.films import Film, RedrawnWorld, Rerun, Seating, StrangeWorld
from tests.bots.seats import LEVELS, THOROUGH, Careless, bot_of
from tests.random_matches import random_table

REDRAWS = 10_000 if THOROUGH else 100  # for each level
MOMENTS, WORLDS = 16, 2  # of one match, for one seat; for each moment
LENGTHS = (12, 24, 50)  # of the films: all that was seen is shown again for every redraw, so not all can be long
ALL_ANEW = 0.1  # how often it is asked at each of its moments, in the same other world, and not at the last alone


def seating(level: str) -> Seating:
    return lambda match, seat, dice: BotPlayer(bot_of(level), seat, match.players, match.options, dice)


@dataclass
class Redrawn:
    """How many moments were redrawn, how many of them out of turn, and how many faces changed, redraw by redraw."""

    redraws: int = 0
    out_of_turn: int = 0
    changed: int = 0


def check_match(
    level: Seating, dice: Random, found: Redrawn, table: type[MatchRunner] = MatchRunner, **fixed: object
) -> None:
    """Film a match at a random table; then redraw many a moment of two of the seats."""
    at = random_table(dice, **fixed)
    players = min(at.players, dice.randint(2, 10))  # smaller tables more often: a seat is asked more often there
    film = Film(at.edition, players, seed=at.seed, options=at.options, dealer=dice.randrange(players))
    film.table, film.length = table, dice.choice(LENGTHS)
    seed = f"{dice.getrandbits(64):x}"
    watched = dice.sample(range(players), 2)
    for seat, answers in film.play(level, watched, seed).items():
        moments = set(dice.sample([answer.at for answer in answers], min(MOMENTS, len(answers))))
        for moment, known in enumerate(film.seen_by(seat)):
            for _ in range(WORLDS if moment in moments else 0):
                kind = RedrawnWorld if dice.random() < 0.9 else StrangeWorld
                world = kind(film.pictures[0].game, known, dice)
                since = 0 if dice.random() < ALL_ANEW else moment
                assert Rerun(film, seat, moment, world).play(level, seed, answers, since) >= 1
                found.redraws += 1
                found.out_of_turn += film.pictures[moment].game.turn != seat
                found.changed += world.changed


@pytest.mark.parametrize("level", LEVELS)
def test_redraw_what_a_seat_cannot_know_and_it_says_the_same(level: str) -> None:
    dice, found = Random(f"honest {level}"), Redrawn()
    for _ in range(REDRAWS // 10):  # matches: three times as many as it takes
        check_match(seating(level), dice, found)
        if found.redraws >= REDRAWS:
            break
    assert found.redraws >= REDRAWS
    assert found.out_of_turn > REDRAWS / 100 or not THOROUGH, "few are asked out of turn: it takes the full length"
    assert found.changed > 40 * found.redraws, "a redraw that changes little proves little"


# ---------------------------------------------------------------- the same again
class AskedTwice:
    """Asks its player everything twice, with the same dice."""

    def __init__(self, player: BotPlayer) -> None:
        self.asked = 0
        self._player = player

    def see(self, events: Iterable[Event], view: View) -> None:
        self._player.see(events, view)

    def answer(self, view: View) -> Move | None:
        dice = self._player.rng.getstate()
        picture = self._player.memory.game.copy()
        first = self._player.answer(view)
        self._player.rng.setstate(dice)
        assert self._player.answer(view) == first
        assert self._player.memory.game == picture, "who thinks changes nothing of what it knows"
        self.asked += 1
        return first


def play_twice_asked(level: str, number: int) -> tuple[str, int]:
    """A match at a random table; its record, and how often the bot was asked."""
    dice = Random(f"twice {number}")
    match = random_table(dice, scoring="quick", hand_size=4, draw_until_playable=False).match()
    seats: dict[int, Participant] = {seat: Careless(dice) for seat in range(match.players)}
    twice = AskedTwice(seating(level)(match, 1, dice))
    table = MatchRunner(match, {**seats, 1: twice}, dice)
    for _ in range(20):
        table.play_round()
        if match.over:
            break
        match.next_round()  # a void round
    return match.record(), twice.asked


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_views_and_the_same_dice_give_the_same_match(level: str) -> None:
    asked = 0
    for number in range(8):
        first, times = play_twice_asked(level, number)
        assert play_twice_asked(level, number) == (first, times)
        asked += times
    assert asked > 20


# ---------------------------------------------------------------- what it could lay its hands on
def within_reach(thing: object) -> Iterator[object]:
    """All that a thing refers to, however far; but not by way of code, which everybody shares."""
    seen: set[int] = set()
    left = [thing]
    while left:
        each = left.pop()
        if id(each) not in seen and not isinstance(each, type | ModuleType | FunctionType):
            seen.add(id(each))
            yield each
            left += gc.get_referents(each)


def games_within_reach(player: BotPlayer) -> list[object]:
    return [each for each in within_reach(player) if isinstance(each, Match | Game) and each is not player.memory.game]


@pytest.mark.parametrize("level", LEVELS)
def test_no_match_and_no_game_but_its_own_picture_is_within_reach_of_a_player(level: str) -> None:
    match = Match("classic", 3, seed="reach", options={"scoring": "quick"})
    players = [seating(level)(match, seat, Random(seat)) for seat in range(3)]
    MatchRunner(match, dict(enumerate(players)), Random(0)).play_round()
    assert match.round.over
    for player in players:
        assert games_within_reach(player) == []


# ---------------------------------------------------------------- cheats
class Blabbing(MatchRunner):
    """Shows everybody everything, as if ``seen`` had been forgotten."""

    def _show(self, events: Iterable[Event]) -> None:
        events = tuple(events)
        for seat, sitting in self._seats.items():
            self._views[seat] = self._match.view(seat)
            sitting.see(events, self._views[seat])


class Peeking(RandomBot):
    """Has got hold of the match, and looks at the card that will be drawn next."""

    def __init__(self, match: Match) -> None:
        self.match = match

    def choose(self, view: View, legal: Sequence[Move], memory: Memory, rng: Random) -> Move:
        del rng
        g = self.match._game
        return super().choose(view, legal, memory, Random(g.faces[g.side + g.stock[g.stock_size - 1]]))


class Knowing(RandomBot):
    """Plays at random, and challenges a Wild Draw only where it was a bluff."""

    def __init__(self, match: Match) -> None:
        self._match = match

    def choose(self, view: View, legal: Sequence[Move], memory: Memory, rng: Random) -> Move:
        if Challenge() in legal:
            return Challenge() if self._match._game.guilty else Accept()
        return super().choose(view, legal, memory, rng)


class Dicing(RandomBot):
    """Throws dice of its own."""

    def __init__(self, match: Match) -> None:
        del match

    def choose(self, view: View, legal: Sequence[Move], memory: Memory, rng: Random) -> Move:
        del rng
        return super().choose(view, legal, memory, Random(random.getrandbits(32)))


Cheat = type[Peeking] | type[Knowing] | type[Dicing]


def cheating(cheat: Cheat) -> Seating:
    return lambda match, seat, dice: BotPlayer(cheat(match), seat, match.players, match.options, dice)


def check_some(level: Seating, table: type[MatchRunner] = MatchRunner, **fixed: object) -> None:
    for number in range(30):
        check_match(level, Random(f"cheat {number}"), Redrawn(), table, **fixed)


@pytest.mark.parametrize("cheat", [Peeking, Knowing, Dicing])
def test_a_bot_that_knows_more_than_its_seat_is_found_out(cheat: Cheat) -> None:
    with pytest.raises(AssertionError, match="another world, another answer"):
        check_some(cheating(cheat), bluffing=True)


@pytest.mark.parametrize("level", ["sharp", "net"])
def test_a_memory_that_was_shown_hidden_cards_is_found_out(level: str) -> None:
    with pytest.raises(AssertionError, match="another world, another answer"):
        check_some(seating(level), Blabbing, pairing="shuffled")


def test_a_match_within_reach_is_found() -> None:
    match = Match("classic", 2, seed="reach")
    cheat: Bot = Peeking(match)
    assert match in games_within_reach(BotPlayer(cheat, 0, 2, match.options, Random(0)))
