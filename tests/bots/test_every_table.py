"""Every level plays every edition, every value of every option and 2 to 10 seats to the end, never an illegal move."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from random import Random

import pytest

from flipdeck.bots.match_runner import MatchRunner, Participant
from flipdeck.bots.player import BotPlayer
from flipdeck.core import editions
from flipdeck.core.errors import Refusal
from flipdeck.core.events import Event
from flipdeck.core.match import Match
from flipdeck.core.notation import Move
from flipdeck.core.view import View
from tests.bots.seats import LEVELS, THOROUGH, Careless, bot_of
from tests.random_matches import OPTION_NAMES, TableSetup, in_vain, most_players, playable, random_options, values_of

MATCHES = 1000
STEPS = 20_000  # of a match: far more than one needs
VALUES = [(name, value) for name in OPTION_NAMES for value in values_of(name)]


# ---------------------------------------------------------------- which tables
@cache
def tables() -> list[TableSetup]:
    """Each has one option that is its own: so every value meets every edition and every number of seats."""
    dice = Random("every table")
    rounds = [divmod(number, len(VALUES)) for number in range(MATCHES)]
    return [table_of(dice, *VALUES[which], around + which) for around, which in rounds]


def table_of(dice: Random, name: str, value: object, turn: int) -> TableSetup:
    """Small hands and one round, unless the own option says otherwise: a match should be short."""
    edition, players = editions.NAMES[turn % 4], 2 + turn % 9
    options = {**random_options(dice, edition), "hand_size": dice.choice((1, 2, 2, 3)), "scoring": "quick"}
    options["draw_until_playable"] = False  # half the deck ends up in a hand, and a round takes hundreds of moves
    options["most_moves"] = 0
    if name == "target" and (value in (1, 60) or (value == 500 and players > 8)):
        options |= {"scoring": "points", "hand_size": 7}  # at large tables a round is worth much
    elif name == "scoring":
        options["target"] = 60
    elif name == "hand_size" or value == "printed":
        options["deck"] = 112  # the smaller deck has no printed pairing, and not enough for ten hands of ten
    options = playable(edition, {**options, name: value})
    dealer = dice.choice((None, dice.randrange(players)))
    return TableSetup(
        edition, min(players, most_players(edition, options)), options, f"{dice.getrandbits(64):x}", dealer
    )


def test_every_value_of_every_option_meets_every_edition_and_every_number_of_seats() -> None:
    met = {(name, value, laid.edition) for laid in tables() for name, value in chosen(laid).items()}
    assert met >= {(*each, edition) for each in VALUES for edition in editions.NAMES}
    seats = {(name, value, laid.players) for laid in tables() for name, value in chosen(laid).items()}
    missing = {(*each, players) for each in VALUES for players in range(2, 11)} - seats
    assert missing == set()
    assert len(tables()) == MATCHES


def chosen(laid: TableSetup) -> Mapping[str, object]:
    options = editions.edition(laid.edition).options.changed(laid.options)
    return {name: getattr(options, name) for name in OPTION_NAMES}


# ---------------------------------------------------------------- playing at them
class Watched(Match):
    """A match that ends, and in which nobody is caught in vain."""

    said = 0

    def say(self, seat: int, move: Move | str) -> tuple[Event, ...]:
        self.said += 1
        assert self.said < STEPS, "the match does not end"
        assert not isinstance(move, str)
        assert not in_vain(self, move), f"seat {seat} says {move} for nothing"
        return super().say(seat, move)


class Late:
    """Somebody careless, and after some moves a bot in the same seat."""

    def __init__(self, player: BotPlayer, dice: Random) -> None:
        self._player, self._careless = player, Careless(dice)
        self._missed = dice.randrange(1, 12)
        self.asked = 0

    def see(self, events: Iterable[Event], view: View) -> None:
        self._missed -= 1
        if self._missed < 0:
            self._player.see(events, view)

    def answer(self, view: View) -> Move | None:
        if self._missed >= 0:
            return self._careless.answer(view)
        self.asked += 1
        return self._player.answer(view)


def most_rounds(match: Match) -> int:
    """Where nearly every round is void, the match would never end."""
    return 5 if 0 < match.options.most_moves < 20 else STEPS


def play_match(laid: TableSetup, level: str, late: list[Late] | None = None) -> Watched:
    """The bot has one seat or two; in the others anything legal is said, so that rounds go everywhere and end."""
    match = Watched(laid.edition, laid.players, seed=laid.seed, options=laid.options, dealer=laid.dealer)
    dice = Random(laid.seed)
    seats: dict[int, Participant] = {seat: Careless(dice) for seat in range(laid.players)}
    for seat in dice.sample(range(laid.players), 1 if laid.players < 4 else 2):
        player = BotPlayer(bot_of(level), seat, laid.players, match.options, dice)
        seats[seat] = player
        if late is not None:
            late.append(Late(player, dice))
            seats[seat] = late[-1]
    table = MatchRunner(match, seats, dice)
    try:
        while not match.over and match.round.number <= most_rounds(match):
            if match.round.over:
                match.next_round()
            table.play_round()
    except Refusal as refusal:
        raise AssertionError(f"{laid} at step {match.steps}: {refusal}") from refusal
    return match


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.usefixtures("compiled_rules")
def test_many_matches_without_an_illegal_move(level: str) -> None:
    """A part of the tables, another one for each level; all thousand of them with ``make test-long``."""
    part = tables() if THOROUGH else tables()[LEVELS.index(level) :: 32]
    steps = sum(play_match(laid, level).said for laid in part)
    assert steps > 10 * len(part)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.usefixtures("compiled_rules")
def test_the_mini_deck_is_played_in_every_edition(level: str) -> None:
    """DECK-6: eight cards, two colors, at most twenty moves; with rules of the house, too."""
    dice = Random(f"mini {level}")
    for number in range(40 if THOROUGH else 8):
        edition = editions.NAMES[number % 4]
        mini = {"deck": "mini", "pairing": "shuffled", "hand_size": 2 - number % 2, "most_moves": 20, "target": 60}
        match = play_match(TableSetup(edition, 2, {**random_options(dice, edition), **mini}, f"{number}"), level)
        assert match.winners
        assert all(len(played.said) <= 20 for played in match.history)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.usefixtures("compiled_rules")
def test_who_comes_late_plays_on_without_an_illegal_move(level: str) -> None:
    late: list[Late] = []
    for laid in tables()[:: MATCHES // 50]:
        play_match(laid, level, late)
    assert sum(each.asked for each in late) > 100
