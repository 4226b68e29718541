"""The matches of a run played again through ``Match``, and counted from what the facade tells."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from flipdeck import Match, Move, Play, Side, What
from flipdeck.bots.player import is_forced_keep
from flipdeck.bulk import policies, rows
from flipdeck.bulk.batches import IntArray, Setting, seed_of_match
from flipdeck.bulk.playing import start_match, start_next_round
from flipdeck.core.codes import CARDS, DARK, LIGHT
from flipdeck.core.reading import moves_of
from flipdeck.core.rules.legal import legal_moves, let_go, speaker
from flipdeck.core.rules.moves import COLOR_SHIFT, KEEP, MAX_MOVES, WHAT_BITS
from flipdeck.core.rules.turn import apply
from flipdeck.core.seeds import key_words
from flipdeck.core.state import OVER, Game


@dataclass
class CountedRound:
    """A round as the facade told it."""

    match: int
    number: int
    dealer: int
    happened: Counter[What] = field(default_factory=Counter)
    decisions: int = 0
    dark_decisions: int = 0
    turns: int = 0
    forced_keeps: int = 0
    missed_uno: int = 0
    winner: int | None = None
    match_winners: tuple[int, ...] = ()
    points: int = 0
    side: Side = Side.LIGHT

    def row(self) -> list[int]:
        row = [0] * rows.WIDTH
        for number, what in enumerate(What):
            row[number] = self.happened[what]
        row[rows.MATCH], row[rows.ROUND], row[rows.DEALER] = self.match, self.number, self.dealer
        row[rows.WINNER] = -1 if self.winner is None else self.winner
        row[rows.WON_BY] = sum(1 << seat for seat in self.match_winners)
        row[rows.DECISIONS], row[rows.DARK_DECISIONS], row[rows.TURNS] = self.decisions, self.dark_decisions, self.turns
        row[rows.FORCED_KEEPS], row[rows.MISSED_UNO], row[rows.POINTS] = self.forced_keeps, self.missed_uno, self.points
        row[rows.ENDED_DARK] = int(self.side is Side.DARK)
        return row


class Replay:
    """A policy decides on a game of its own; the facade is told in words and never looked into."""

    def __init__(self, setting: Setting, seed: bytes, number: int) -> None:
        self.number = number
        self.policies = setting.policy_numbers().tolist()
        self.game = setting.game()
        self.luck = start_match(self.game, key_words(seed), number)
        own_seed = seed_of_match(setting, seed, number)
        self.match = Match(setting.edition, setting.players, seed=own_seed, options=setting.options)

    def rounds(self) -> list[CountedRound]:
        counted = [self.round()]
        while not self.match.over:
            start_next_round(self.game)
            self.match.next_round()
            counted.append(self.round())
        return counted

    def round(self) -> CountedRound:
        match, now = self.match, self.match.round
        counted = CountedRound(self.number, now.number, now.dealer)
        counted.happened.update(event.what for event in match.history[-1].dealt)
        counted.happened[What.DEALT] = 1  # told hand by hand
        del counted.happened[What.DEALER_CARD], counted.happened[What.DEALER_CHOSEN]  # before the round
        while self.game.phase != OVER:
            self.ask(counted)
        now = match.round
        assert now.over
        counted.happened[What.LAID_OPEN] = 1  # told hand by hand
        counted.winner, counted.points, counted.side = now.winner, sum(now.points), now.side
        counted.match_winners = match.winners
        return counted

    def ask(self, counted: CountedRound) -> None:
        g, match = self.game, self.match
        if match.to_act is not None and is_forced_keep(match.view(match.to_act)):
            counted.forced_keeps += 1
            apply(g, match.to_act, KEEP)
            counted.happened.update(event.what for event in match.say(match.to_act, "keep"))
            return
        counted.decisions += 1
        counted.dark_decisions += match.round.side is Side.DARK
        seat, out = speaker(g), [0] * MAX_MOVES
        n = legal_moves(g, seat, out)
        self.luck = policies.next_rng(self.luck)
        choice = policies.pick(g, seat, self.policies[seat], out, n, self.luck)
        if choice == n:
            let_go(g, seat)
            return
        move = named(g, seat, out[choice])
        apply(g, seat, out[choice])
        counted.turns += match.to_act == seat
        if isinstance(move, Play) and not move.uno:
            counted.missed_uno += len(match.view(seat).hand) == 2
        counted.happened.update(event.what for event in match.say(seat, str(move)))


def named(g: Game, seat: int, number: int) -> Move:
    """A move as its seat says it; cards with the same faces are said alike."""
    for move, other in moves_of(g, seat).items():
        if _faces(g, other) == _faces(g, number):
            return move
    raise AssertionError("a legal move has no name")


def _faces(g: Game, number: int) -> tuple[int, ...]:
    what = number & WHAT_BITS
    faces = (what,) if what >= CARDS else (g.faces[LIGHT + what], g.faces[DARK + what])
    return (*faces, number >> COLOR_SHIFT)


def replayed(setting: Setting, seed: bytes, games: int) -> list[CountedRound]:
    return [counted for number in range(games) for counted in Replay(setting, seed, number).rounds()]


def table_of(counted: list[CountedRound]) -> IntArray:
    return np.array([each.row() for each in counted], np.int64)
