"""A match filmed, and played again with everything redrawn that one seat can't know.

Within a match every card keeps its number and its faces.  So another world with the same history of views is made by
giving the faces that a seat has never seen to other cards, the same ones in every picture of the film.  The film is
then played again by a real ``MatchRunner``, and the seat has a fresh player with the same dice: it must say the same.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from flipdeck.bots.match_runner import MatchRunner, Participant
from flipdeck.bots.player import BotPlayer
from flipdeck.core.cards import Seat, Side
from flipdeck.core.codes import DARK, LIGHT
from flipdeck.core.events import Event, events_of
from flipdeck.core.history import Played
from flipdeck.core.match import Match
from flipdeck.core.notation import Move
from flipdeck.core.rules.hands import index_faces
from flipdeck.core.state import Game
from flipdeck.core.view import View
from tests.bots.seats import Careless
from tests.resampling import Slot, resampled, shown_by_events, visible_now

Seating = Callable[[Match, int, Random], BotPlayer]  # who plays in a seat, with these dice


class FilmedAnswer(NamedTuple):
    """What a seat said at a picture, and how its dice lay before."""

    at: int
    move: Move | None
    dice: tuple[Any, ...]


Answers = list[FilmedAnswer]


class Cut(Exception):  # noqa: N818  # it ends a film; nothing is in error
    """As much was played as is wanted."""


@dataclass(slots=True)
class Picture:
    """The table after a deal, or after a move that a seat said.  ``began`` is the side in play before it."""

    game: Game
    began: Side
    views: dict[int, View]
    seat: int | None = None
    move: Move | None = None


class NotingPlayer:
    """A player whose answers are noted."""

    def __init__(self, player: BotPlayer, at: Callable[[], int]) -> None:
        self.answers: Answers = []
        self._player, self._at = player, at

    def see(self, events: Iterable[Event], view: View) -> None:
        self._player.see(events, view)

    def answer(self, view: View) -> Move | None:
        dice = self._player.rng.getstate()
        move = self._player.answer(view)
        self.answers.append(FilmedAnswer(self._at(), move, dice))
        return move


# ---------------------------------------------------------------- the first time
class Film(Match):
    """A match that is filmed while it is played: so many pictures of it."""

    table: type[MatchRunner] = MatchRunner
    pictures: list[Picture]
    length = 50

    def view(self, seat: int | None) -> View:
        view = super().view(seat)
        if seat is not None:
            self.pictures[-1].views[seat] = view
        return view

    def say(self, seat: int, move: Move | str) -> tuple[Event, ...]:
        began = self.round.side
        events = super().say(seat, move)
        self.pictures.append(Picture(self._game.copy(), began, {}, seat, self.history[-1].said[-1].move))
        if len(self.pictures) >= self.length:
            raise Cut
        return events

    def play(self, seating: Seating, watched: Iterable[int], dice: str) -> dict[int, Answers]:
        """What the watched seats answered; all others are careless."""
        self.pictures = []
        noting = {seat: NotingPlayer(seating(self, seat, Random(f"{dice} {seat}")), self._at) for seat in watched}
        others = {seat: Careless(Random(f"{dice} {seat}")) for seat in range(self.players)}
        table = self.table(self, {**others, **noting}, Random(dice))
        try:
            while not self.over:
                if self.round.over:
                    self.next_round()
                self.pictures.append(Picture(self._game.copy(), Side(self.options.start_side), {}))
                table.play_round()
        except Cut:
            pass
        return {seat: each.answers for seat, each in noting.items()}

    def _at(self) -> int:
        return len(self.pictures) - 1

    def seen_by(self, seat: int) -> Iterator[set[Slot]]:
        """Picture after picture, all faces that a seat has seen up to then."""
        known: set[Slot] = set()
        for picture in self.pictures:
            known |= shown_by_events(picture.game, picture.began, seat, self.options.own_backs)
            known |= visible_now(picture.game, seat, self.options.own_backs)
            yield known


# ---------------------------------------------------------------- another world
class RedrawnWorld:
    """Other faces wherever a seat has seen none, and other secrets."""

    def __init__(self, game: Game, known: set[Slot], dice: Random) -> None:
        self._drawn = game.copy()
        self.changed = 0
        for side in (LIGHT, DARK):
            hidden = [card for card in range(game.deck) if (side, card) not in known]
            for card, other in zip(hidden, dice.sample(hidden, len(hidden)), strict=True):
                self._drawn.faces[side + card] = game.faces[side + other]
                self.changed += game.faces[side + card] != game.faces[side + other]
        index_faces(self._drawn)
        self._drawn.key = [dice.getrandbits(32) for _ in game.key]
        self._drawn.guilty = dice.randrange(2)

    def of(self, game: Game) -> Game:
        """A picture as it looks in this world.  Nobody writes to it, so it shares all that did not change."""
        twin = copy.copy(game)
        for name in ("faces", "with_color", "with_rank", "key", "guilty"):
            setattr(twin, name, getattr(self._drawn, name))
        return twin


class StrangeWorld(RedrawnWorld):
    """… and other numbers for all cards.  Slow, as nothing can be shared."""

    def __init__(self, game: Game, known: set[Slot], dice: Random) -> None:
        super().__init__(game, known, dice)
        self._known, self._seed = set(known), dice.getrandbits(32)

    def of(self, game: Game) -> Game:
        return resampled(game, self._known, Random(self._seed))


# ---------------------------------------------------------------- and again
class Rerun(Match):
    """The film up to a picture in another world, where everybody says what they said before."""

    def __init__(self, film: Film, seat: int, last: int, world: RedrawnWorld) -> None:
        self.edition, self.options, self.players, self.seed = film.edition, film.options, film.players, bytes(32)
        self._film, self._watched, self._last, self._world = film, seat, last, world
        self._at = -1

    def view(self, seat: int | None) -> View:
        """What the others see is nothing to be looked at anew."""
        assert seat is not None
        was = self._film.pictures[self._at].views[seat]
        if seat == self._watched:
            view = super().view(seat)
            assert view == was, "the redraw shows in the view: it is none of what the seat can't know"
            return view
        return was

    def seen(self, events: Iterable[Event], seat: int | None) -> tuple[Event, ...]:
        return super().seen(events, seat) if seat == self._watched else ()

    def say(self, seat: int, move: Move | str) -> tuple[Event, ...]:
        assert (seat, move) == self.next_word(), "nobody says anything new"
        if self._at == self._last:
            raise Cut
        return self._step()

    def next_word(self) -> tuple[int | None, Move | None]:
        after = self._film.pictures[self._at + 1]
        return after.seat, after.move

    def _step(self) -> tuple[Event, ...]:
        self._at += 1
        picture = self._film.pictures[self._at]
        self._game = self._world.of(picture.game)
        return events_of(self._game, picture.began)

    def play(self, seating: Seating, dice: str, before: Answers, since: int = 0) -> int:
        """At a table like the first one; how many answers of the watched seat, since a picture, were the same."""
        player = seating(self, self._watched, Random(f"{dice} {self._watched}"))
        again = AskedAgain(player, lambda: self._at, before, since)
        seats: dict[int, Participant] = {seat: Repeating(self, seat) for seat in range(self.players)}
        table = self._film.table(self, {**seats, self._watched: again}, Random(dice))
        try:
            while self._at < self._last:
                dealt = self._step()
                self.history = [Played(self._game.round, Seat(self._game.dealer), dealt, [])]
                table.play_round()
        except Cut:
            pass
        assert self._at == self._last
        return again.same


class AskedAgain:
    """Sees everything, and says what it said before; since a picture, its player is asked and must say the same."""

    def __init__(self, player: BotPlayer, at: Callable[[], int], before: Answers, since: int) -> None:
        self.same = 0
        self._player, self._at, self._since = player, at, since
        self._before = iter(before)

    def see(self, events: Iterable[Event], view: View) -> None:
        self._player.see(events, view)

    def answer(self, view: View) -> Move | None:
        at, was, dice = next(self._before)
        assert at == self._at(), f"it was asked at picture {at}, and now at {self._at()}"
        if at < self._since:
            return was
        if not self.same:
            self._player.rng.setstate(dice)
        move = self._player.answer(view)
        assert move == was, f"another world, another answer: {move} is not {was}"
        self.same += 1
        return move


class Repeating:
    """Says what the seat said then, when its moment comes."""

    def __init__(self, rerun: Rerun, seat: int) -> None:
        self._rerun, self._seat = rerun, seat

    def see(self, events: Iterable[Event], view: View) -> None:
        pass

    def answer(self, view: View) -> Move | None:
        del view
        seat, move = self._rerun.next_word()
        return move if seat == self._seat else None
