"""What ``flat`` should hold, written from a view alone; and a match beside a batch, move by move."""

from __future__ import annotations

from collections import Counter

import numpy as np

from flipdeck import Face, Match, Side, View
from flipdeck.bulk.acting import KINDS, kind_of
from flipdeck.core.cards import Card, code_of
from flipdeck.core.view import Phase
from flipdeck.core.writing import saying
from flipdeck.envs.batch import GameBatch, Rules
from flipdeck.envs.columns import FLAT, Layout
from flipdeck.envs.compiled.episode import LEFT_ALONE

PHASES = {Phase.TURN: 0, Phase.DRAWN: 1, Phase.CHALLENGE: 2, Phase.COLOR: 3, Phase.ROUND_OVER: 4, Phase.MATCH_OVER: 4}
REMEMBERED = ("known", "discard", "discard_backs", "moves", "passes")  # a view alone does not say these


def kind(face: Face | None, side: Side) -> int:
    assert face is not None
    return kind_of(code_of(side, face))


def counted(faces: list[Face | None], side: Side) -> list[int]:
    counts = Counter(kind(face, side) for face in faces if face is not None)
    return [counts[each] for each in range(KINDS)]


def one_of(number: int, size: int) -> list[int]:
    return [int(each == number) for each in range(size)]


def behind(hand: tuple[Card, ...], side: Side) -> list[int]:
    """The back of each copy of a face, in order of arrival."""
    slots, copies = [0] * 112, Counter[int]()
    for card in hand:
        front, back = kind(card.face(side), side), card.face(side.other)
        at = 2 * front if front < 52 else 104 + 4 * (front - 52)
        slots[at + copies[front]] = 1 if back is None else 2 + kind(back, side.other)
        copies[front] += 1
    return slots


def seen_in(view: View, target: int) -> dict[str, list[int]]:
    you, players, side = view.you or 0, view.players, view.side
    seats = [(you + step) % players for step in range(players)]
    backs: dict[int, list[Face]] = {other.seat: list(other.backs) for other in view.others}
    sizes = {you: len(view.hand)} | {seat: len(hand) for seat, hand in backs.items()}
    return {
        "top": counted([view.top], side),
        "color": one_of(side.colors.index(view.color) if view.color else -1, 4),
        "phase": one_of(PHASES[view.phase], 5),
        "to_act": one_of(-1 if view.to_act is None else (view.to_act - you) % players, players),
        "dealer": one_of((view.dealer - you) % players, players),
        "counts": [sizes[seat] for seat in seats],
        "catchable": [int(seat in view.catchable) for seat in seats],
        "scores": [min(view.scores[seat] * 200 // target, 255) for seat in seats],
        "dark": [int(side is Side.DARK)],
        "clockwise": [int(view.direction > 0)],
        "draw_count": [view.draw_count],
        "discard_count": [view.discard_count],
        "owed": [view.owed],
        "hand": counted([card.face(side) for card in view.hand], side),
        "behind": behind(view.hand, side),
        "own_backs": counted([card.face(side.other) for card in view.hand], side.other),
        "drawn": counted([view.drawn.face(side) if view.drawn else None], side),
        "backs": [n for seat in seats[1:] for n in counted(list(backs[seat]), side.other)],
        "draw_back": counted([view.draw_back], side.other),
    }


def sections_of(row: object, players: int) -> dict[str, list[int]]:
    layout = Layout(FLAT, players)
    return {each.name: np.asarray(row)[layout.slice_of(each.name)].tolist() for each in FLAT}


class Beside:
    """A match that is played move by move as one game of a batch is; the batch plays nothing inside."""

    def __init__(self, batch: GameBatch, rules: Rules, game: int = 0) -> None:
        self.batch, self.rules, self.game = batch, rules, game
        self.match = self.deal()

    def deal(self) -> Match:
        seed = b"".join(int(word).to_bytes(4, "little") for word in self.batch.games["key"][self.game])
        return Match(self.rules.edition, self.rules.players, seed=seed, options=self.rules.options)

    def move_of(self, action: int) -> int:
        e = self.batch.episodes[self.game]
        return int(e["moves"][e["actions"][: e["choices"]].tolist().index(action)])

    def say(self, seat: int, move: int) -> None:
        """Before the batch takes its step."""
        if move == LEFT_ALONE:
            self.match._game.heard |= 1 << seat
            return
        self.match.say_again(seat, saying(self.match._game, move, self.match.options.own_backs), move)
