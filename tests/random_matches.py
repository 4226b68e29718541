"""Random tables and random legal play, for the suites that hold for every game.

Two ways to play: through the facade (``say_something``, ``play_round``), as people and programs do, and on the numbers
of the rules (``play_numbers``, ``play_match_on_numbers``), ten times as fast.  The dice are always an argument.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, fields
from random import Random

import flipdeck
from flipdeck.core import editions
from flipdeck.core.cards import Card, Seat, Side
from flipdeck.core.history import Played
from flipdeck.core.match import Match
from flipdeck.core.notation import Catch, Draw, Keep, Move
from flipdeck.core.options import MINI, Options
from flipdeck.core.reading import card_named, hand_in_order
from flipdeck.core.rules.deal import new_round, next_dealer
from flipdeck.core.rules.legal import legal_moves, let_go, speaker
from flipdeck.core.rules.moves import CATCH, KEEP, MAX_MOVES, TAKE, WHAT_BITS
from flipdeck.core.rules.turn import apply
from flipdeck.core.state import OVER, Game

STEPS = 20_000  # of a round: far more than one needs; a round that takes them all does not end
PLAYFUL = 0.9  # how often a seat that would rather draw thinks again: with large hands nobody would ever go out
VAIN = 0.02  # how often a catch in vain is thought of, where it is legal all the time


# ---------------------------------------------------------------- tables
def values_of(name: str) -> tuple[object, ...]:
    """The values of an option that the suites try: all of a choice but those for research, the telling ones of a
    number."""
    numbers: dict[str, tuple[object, ...]] = {
        "target": (1, 60, 500, 1000),
        "false_catch_penalty": (0, 1, 2, 10),
        "uno_penalty": (0, 1, 2, 10),
        "hand_size": (1, 2, 3, 5, 7, 10),
        "most_moves": (0, 0, 1, 20, 200),
    }
    for spec in fields(Options):
        if spec.name == name:
            choices = spec.metadata.get("choices", ())
            offered = tuple(choice for choice in choices if choice not in spec.metadata["research"])
            return (True, False) if "switch" in spec.metadata else numbers.get(name) or offered
    raise KeyError(name)


OPTION_NAMES = tuple(spec.name for spec in fields(Options))


@dataclass(frozen=True)
class TableSetup:
    edition: str
    players: int
    options: dict[str, object]
    seed: str
    dealer: int | None = None

    def match(self) -> Match:
        return Match(self.edition, self.players, seed=self.seed, options=self.options, dealer=self.dealer)


def playable(edition: str, options: dict[str, object]) -> dict[str, object]:
    """These options without what can't be combined: the printed pairing is that of 112 cards, and mini has limits."""
    deck = options.get("deck", editions.edition(edition).options.deck)
    if deck == 112:
        return options
    shuffled = {**options, "pairing": "shuffled"}
    if deck == MINI and options.get("hand_size") not in (1, 2):
        shuffled["hand_size"] = 2
    return {**shuffled, "most_moves": 20} if deck == MINI else shuffled


def most_players(edition: str, options: dict[str, object]) -> int:
    chosen = editions.edition(edition).options.changed(options)
    return 2 if chosen.deck == MINI else min(10, (chosen.cards - 1) // (chosen.hand_size + 1))


def random_options(dice: Random, edition: str) -> dict[str, object]:
    """Any combination: every option is left alone, or takes any of its values."""
    changed = {name: dice.choice(values_of(name)) for name in OPTION_NAMES if dice.random() < 0.5}
    return playable(edition, changed)


def random_table(dice: Random, **fixed: object) -> TableSetup:
    edition = dice.choice(editions.NAMES)
    options = playable(edition, {**random_options(dice, edition), **fixed})
    players = dice.randint(2, most_players(edition, options))
    dealer = dice.choice((None, dice.randrange(players)))
    return TableSetup(edition, players, options, f"{dice.getrandbits(64):x}", dealer)


# ---------------------------------------------------------------- through the facade
def copy_of(match: Match) -> Match:
    """A match that goes on by itself: what is said to it leaves the first one alone."""
    twin = copy.copy(match)
    twin._game = match._game.copy()
    twin.history = [Played(each.number, each.dealer, each.dealt, list(each.said)) for each in match.history]
    return twin


def in_vain(match: Match, move: Move) -> bool:
    return isinstance(move, Catch) and not match._game.silent >> move.seat & 1


def all_that_can_be_said(match: Match) -> list[tuple[Seat, Move]]:
    """What any seat may say now, but for catches in vain."""
    seats = [Seat(seat) for seat in range(match.players)]
    return [(seat, move) for seat in seats for move in match.legal(seat) if not in_vain(match, move)]


def say_something(match: Match, dice: Random, eager: bool = False) -> tuple[Seat, Move]:
    """Some seat says something legal; an eager table plays wherever it can."""
    if match.options.false_catch_penalty and dice.random() < VAIN:
        seat = Seat(dice.randrange(match.players))
        move: Move = dice.choice([move for move in match.legal(seat) if isinstance(move, Catch)])
    else:
        choices = all_that_can_be_said(match)
        if eager:
            choices = [each for each in choices if not isinstance(each[1], Draw | Keep)] or choices
        seat, move = dice.choice(choices)
    match.say(seat, move)
    return seat, move


def step_on(match: Match, dice: Random) -> Side:
    """An eager move, or a new deal when a round is over; the side that was in play when it began."""
    if match.round.over:
        match.next_round()
        return Side(match.options.start_side)
    side = match.round.side
    say_something(match, dice, eager=True)
    return side


def play_round(match: Match, dice: Random, eager: bool = False) -> None:
    for _ in range(STEPS):
        if match.round.over:
            return
        say_something(match, dice, eager)
    raise AssertionError("the round does not end")


def finished(players: int = 3, seed: str = "finished", target: int = 100) -> flipdeck.Match:
    """A whole match of the library, at random."""
    match, dice = flipdeck.Match(players=players, seed=seed, options={"target": target}), Random(seed)
    while not match.over:
        if match.round.over:
            match.next_round()
        play_round(match, dice)
    return match


# ---------------------------------------------------------------- on the numbers
def play_numbers(g: Game, dice: Random, each_step: Callable[[Game], None] | None = None) -> int:
    """Random legal play to the end of the round; how many decisions it took."""
    out = [0] * MAX_MOVES
    for step in range(STEPS):
        if g.phase == OVER:
            return step
        seat = speaker(g)
        move = _any_move(g, seat, out, legal_moves(g, seat, out), dice)
        if move < 0:
            let_go(g, seat)
        else:
            apply(g, seat, move)
        if each_step:
            each_step(g)
    raise AssertionError("the round does not end")


def _any_move(g: Game, seat: int, out: list[int], n: int, dice: Random) -> int:
    """A move, or -1 from a seat that lets the moment go."""
    if seat != g.turn and dice.random() < 0.5:
        return -1
    if g.false_catch_penalty and dice.random() >= VAIN:
        sound = [move for move in out[:n] if move & WHAT_BITS < CATCH or g.silent >> (move & WHAT_BITS) - CATCH & 1]
        n = len(sound)
        out[:n] = sound
    move = out[int(dice.random() * n)]
    if move in (TAKE, KEEP) and dice.random() < PLAYFUL:
        move = out[int(dice.random() * n)]
        if move in (TAKE, KEEP):
            move = out[int(dice.random() * n)]
    return move


def play_match_on_numbers(
    g: Game, dice: Random, each_round: Callable[[Game], None] | None = None, rounds: int = 1000
) -> int:
    """Round after round until somebody has won the match; how many rounds it took."""
    for played in range(1, rounds + 1):
        play_numbers(g, dice)
        if each_round:
            each_round(g)
        if g.winners:
            return played
        new_round(g, next_dealer(g))
    raise AssertionError("the match does not end")


# ---------------------------------------------------------------- what always holds
def cards_everywhere(g: Game) -> list[int]:
    """Every card on the table by number, wherever it lies."""
    held = [card for seat in range(g.players) for card in hand_in_order(g, seat)]
    return sorted([*held, *g.stock[: g.stock_size], *g.pile[: g.pile_size]])


def deck_of(g: Game) -> Counter[Card]:
    return Counter(card_named(g, card) for card in range(g.deck))


def check_numbers(g: Game) -> None:
    """What holds at every moment of every round."""
    assert cards_everywhere(g) == list(range(g.deck)), "a card is lost, or lies in two places"
    assert [len(hand_in_order(g, seat)) for seat in range(g.players)] == g.counts[: g.players]
    assert g.pile_size >= 1
    assert g.direction in (1, -1)
    assert 0 <= g.turn < g.players
    assert all(g.counts[seat] == 1 for seat in range(g.players) if g.silent >> seat & 1 and g.phase != OVER)
    assert (g.owed > 0) == (g.phase == 2), "something is owed exactly while it is to be answered"
    _check_ends(g)


def _check_ends(g: Game) -> None:
    empty = [seat for seat in range(g.players) if g.counts[seat] == 0]
    if g.phase != OVER:
        assert not empty
        assert not g.winners
    elif g.winner >= 0:
        assert empty == [g.winner]
    else:
        assert (empty, sum(g.points)) == ([], 0), "a void round has no winner and no points"
