"""A match: rounds to the target.  The facade that people and programs use.

match = Match(edition="classic", players=3, seed="abc")
match.view(1)            what seat 1 sees now
match.legal(1)           what seat 1 may say now, on turn or not
match.say(1, "R7/O1")    events; or a Refusal is raised and nothing has changed
match.next_round()       when a round is over and nobody has won
match.record()           the match so far as text
Match.from_record(text)  the match of a record
match.steps()            every move of it again, from the deal
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

from . import editions, refusing
from .cards import Card, Seat, Side
from .errors import BadOption, BadRequest, GameOver, Refusal
from .events import Event, events_of, lazy_events_of
from .history import Played, Round, Said, SavedMatch
from .moment import Moment, secret_state
from .notation import Move
from .options import Options
from .reading import seats_in, side_in_play
from .rules.deal import choose_dealer, deal, next_dealer, start_round
from .rules.turn import apply
from .seeds import commitment_of, seed_of, seed_with_values, value_of
from .setting_up import new_game, whole_cards
from .shuffling import new_round_quickly
from .state import OVER, Game
from .view import View, seen_by, seen_by_each, texts_by_each
from .writing import Hand, saying

if TYPE_CHECKING:
    from .steps import Step


class Match:
    """A match; its seed is given, as the core throws no dice of its own."""

    _moment: Moment | None = None  # what was seen since the last move
    _hands: Mapping[Seat, Hand] = MappingProxyType({})  # as they were seen before it

    def __init__(
        self,
        edition: str = editions.DEFAULT,
        players: int = 4,
        *,
        seed: str | bytes,
        options: Options | Mapping[str, object] | None = None,
        dealer: int | None = None,
        deck: Sequence[Card | str] | None = None,
        values: Mapping[int, bytes] | None = None,
    ) -> None:
        """A new match with its first round dealt.

        ``options`` has what is changed from the edition, by name; whole ``Options`` stand for all of them.

        ``seed`` decides every card: 32 secret bytes for play among people, any text for a match to repeat.  Where
        seats have added ``values`` of 32 bytes to the secret, both together decide.
        ``dealer`` names the first dealer; ``deck`` sets the first deal, top card first, and the pairing of the match.
        """
        self._set_up(edition, players, seed, options, dealer, deck, values)
        self._game = new_game(self.options, self.players, self.seed, self.given_deck)
        self._deal_first()

    def _set_up(
        self,
        edition: str,
        players: int,
        seed: str | bytes,
        options: Options | Mapping[str, object] | None,
        dealer: int | None,
        deck: Sequence[Card | str] | None,
        values: Mapping[int, bytes] | None,
    ) -> None:
        """All that was given, checked; no card has moved yet."""
        self.edition = editions.edition(edition)
        given = {} if options is None else options
        self.options = given if isinstance(given, Options) else self.edition.options.changed(given)
        self.players = self.options.check_players(players)
        self.secret = seed_of(seed)
        self.values = self._by_seat(values or {})
        self.seed = seed_with_values(self.secret, self.values)
        self.given_dealer = None if dealer is None else self._seat(dealer)
        self.given_deck = None if deck is None else whole_cards(deck, self.options.cards)
        self.history: list[Played] = []
        self.archived = ""  # the history before ``history``, as it stands in the record

    def __repr__(self) -> str:
        """What everybody may know: a match is printed in logs and notebooks, and must give no card away."""
        turn = "won by " + " and ".join(f"seat {seat}" for seat in self.winners) if self.over else "round over"
        if self.to_act is not None:
            turn = f"seat {self.to_act} to act"
        scores = "-".join(map(str, self.scores))
        where = f"round {self._game.round}, {side_in_play(self._game).value} side"
        return f"<Match: {self.edition.name}, {self.players} players, {where}, scores {scores}, {turn}>"

    # ------------------------------------------------------------ what there is
    @property
    def commitment(self) -> str:
        """Published before the match; the hash of the secret revealed after it."""
        return commitment_of(self.secret)

    @property
    def round(self) -> Round:
        g = self._game
        winner = None if g.winner < 0 else Seat(g.winner)
        points = tuple(g.points[: g.players])
        return Round(g.round, Seat(g.dealer), side_in_play(g), g.phase == OVER, winner, points)

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self._game.scores[: self.players])

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Empty until the match is over."""
        return seats_in(self._game.winners)

    @property
    def over(self) -> bool:
        return bool(self._game.winners)

    @property
    def may_end(self) -> bool:
        """Somebody has one card or none: what is said next may end the match.  A void round ends none."""
        return any(map(self.may_end_with, range(self.players)))

    def may_end_with(self, seat: int) -> bool:
        """Whether what this seat says next may end the match: nobody goes out by what another says."""
        return self._game.counts[seat] <= 1

    @property
    def to_act(self) -> Seat | None:
        return None if self._game.phase == OVER else Seat(self._game.turn)

    @property
    def catchable(self) -> tuple[Seat, ...]:
        """Who has one card and has not said so, and may still be caught."""
        return () if self._game.phase == OVER else seats_in(self._game.silent)

    def view(self, seat: int | None) -> View:
        """All that a seat may know now; ``None`` is a spectator."""
        return self._now().view(None if seat is None else self._seat(seat))

    def view_text(self, seat: int | None) -> str:
        """The view as JSON: what ``View.to_dict`` has, encoded straight from the game."""
        return self.view_texts((seat,))[0]

    def view_texts(self, seats: Iterable[int | None]) -> list[str]:
        """The same for several viewers, in their order."""
        return self._now().texts(self._viewers(seats))

    def legal(self, seat: int) -> list[Move]:
        """All that a seat may say now, on turn or not."""
        return list(self._now().moves(self._seat(seat)))

    def seen(self, events: Iterable[Event], seat: int | None) -> tuple[Event, ...]:
        """Events as a seat may see them; ``None`` is a spectator."""
        return seen_by(events, None if seat is None else self._seat(seat), self.options)

    def seen_by_each(self, events: Iterable[Event], seats: Iterable[int | None]) -> list[tuple[Event, ...]]:
        """The same for several viewers, in their order; what two see alike is one and the same object."""
        return seen_by_each(events, self._viewers(seats), self.options)

    def event_texts(self, events: Iterable[Event], seats: Iterable[int | None]) -> list[str]:
        """The same as elements of a JSON list: what ``Event.to_dict`` has."""
        return texts_by_each(events, self._viewers(seats), self.options)

    # ------------------------------------------------------------ what can be done
    def say(self, seat: int, move: Move | str) -> tuple[Event, ...]:
        """Apply a move and return its events; an illegal one raises a Refusal and changes nothing."""
        who = self._seat(seat)
        wanted = Move.parse(move) if isinstance(move, str) else move
        number = self._now().moves(who).get(wanted)
        if number is None:
            raise refusing.reason(self._game, who, wanted, self.options)
        side = self._carry_out(who, number)
        events = events_of(self._game, side)
        self.history[-1].said.append(Said(who, str(wanted), events))
        return events

    def number_of(self, seat: int, move: Move | str) -> int | None:
        """The number of a legal move in the rules, None if it is not legal; ``say_again`` takes it."""
        return self._now().sayings(self._seat(seat)).get(str(move))

    def say_again(self, seat: int, move: str, number: int) -> Sequence[Event]:
        """Replay a recorded move by its number: legal moves are not generated, and its events are decoded lazily.

        A number that does not mean the move any more falls back to ``say``, with all its checks.
        """
        who = self._seat(seat)
        if saying(self._game, number, self.options.own_backs) != move:
            return self.say(who, move)
        side = self._carry_out(who, number)
        events = lazy_events_of(self._game, side)
        self.history[-1].said.append(Said(who, move, events))
        return events

    def why_not(self, seat: int, move: Move | str) -> Refusal | None:
        """The refusal that ``say`` would raise, or None where it would not."""
        try:
            who = self._seat(seat)
            if str(move) in self._now().sayings(who):
                return None
            wanted = Move.parse(move) if isinstance(move, str) else move
        except Refusal as refusal:
            return refusal
        return refusing.reason(self._game, who, wanted, self.options)

    def next_round(self) -> tuple[Event, ...]:
        """Deal the next round of the match (DEALER-2)."""
        g = self._game
        if g.winners:
            raise GameOver("match-over")
        if g.phase != OVER:
            raise BadRequest("round-not-over")
        self._change()
        new_round_quickly(g, next_dealer(g))
        return self._dealt(())

    def twin(self) -> Self:
        """An independent copy of the match as it stands."""
        other = copy(self)
        other._game = self._game.copy()
        other.history = [*self.history[:-1], *(replace(last, said=[*last.said]) for last in self.history[-1:])]
        return other

    def record(self) -> str:
        """The match so far as text, with every hidden card in it."""
        from .record import write  # the record knows the match, the match only this door to it

        return write(self)

    @classmethod
    def from_record(cls, text: str) -> Self:
        """The match that a record tells of, replayed; a BadRecord names the first line that can't be."""
        from .record import parse_as

        return parse_as(cls, text)

    def steps(self) -> Iterator[Step]:
        """Every move so far again, each with the match as it stood before it.

        It is one match that is played on from step to step: keep ``step.match.twin()``, not ``step.match``.
        """
        from .steps import steps_of

        return steps_of(self)

    def secret_state(self) -> dict[str, object]:
        """The complete state as JSON, hidden cards too: for referees and tests, never for a player."""
        return secret_state(self._game, self.edition.name)

    # ------------------------------------------------------------ long matches, and those that go on elsewhere
    def archive(self) -> None:
        """Keep the history so far only as its text in the record: that is small, and the record is the same."""
        self.archived = self._archive()
        self._begin_history()

    def forget(self) -> None:
        """Drop the history so far: for whoever plays on and asks for no record."""
        self.archived = ""
        self._begin_history()

    def save(self) -> SavedMatch:
        """The match as plain data, hidden cards too.  A restored match goes on as this one does."""
        deck = self.given_deck
        return {
            "edition": self.edition.name,
            "players": self.players,
            "options": self.options.differences(self.edition.options),
            "secret": self.secret,
            "values": self.values,
            "dealer": self.given_dealer,
            "deck": None if deck is None else [str(card) for card in deck],
            "game": self._game.save(),
            "archive": self._archive(),
        }

    @classmethod
    def restore(cls, saved: SavedMatch) -> Self:
        """The match that was saved, its history archived.  ValueError if another version saved it."""
        match = cls.__new__(cls)
        given = (saved["options"], saved["dealer"], saved["deck"], saved["values"])
        match._set_up(saved["edition"], saved["players"], saved["secret"], *given)
        match._game, match.archived = Game.restore(saved["game"]), saved["archive"]
        match._begin_history()
        return match

    def _archive(self) -> str:
        from .record import write_history

        return "\n".join(write_history(self))

    def _begin_history(self) -> None:
        """The rest of the round goes on from here."""
        self.history = [Played(self._game.round, Seat(self._game.dealer), (), [])]

    # ------------------------------------------------------------ within
    def _carry_out(self, who: Seat, number: int) -> Side:
        """The side that was in play when the move began."""
        g = self._game
        side = side_in_play(g)
        self._change()
        apply(g, who, number)
        return side

    def _change(self) -> None:
        if self._moment is not None:
            self._hands, self._moment = self._moment.hands, None

    def _now(self) -> Moment:
        """Cached until the next change: whoever is asked for a move has looked before."""
        if self._moment is None or self._moment.game is not self._game:
            self._moment = Moment(self._game, self.options, self._hands)
        return self._moment

    def _seat(self, seat: object) -> Seat:
        if type(seat) is not int or not 0 <= seat < self.players:
            raise BadRequest("no-seat", seat=seat, last=self.players - 1)
        return Seat(seat)

    def _viewers(self, seats: Iterable[int | None]) -> list[Seat | None]:
        return [None if seat is None else self._seat(seat) for seat in seats]

    def _by_seat(self, values: object) -> dict[int, bytes]:
        if not isinstance(values, Mapping):
            raise BadOption("not-by-seat", kind=type(values).__name__)
        return {self._seat(seat): value_of(each) for seat, each in values.items()}

    def _deal_first(self) -> None:
        g = self._game
        before: tuple[Event, ...] = ()
        if self.given_dealer is None:
            dealer = choose_dealer(g)
            before = events_of(g, Side.LIGHT)
        else:
            dealer = self.given_dealer
        if self.given_deck is None:
            new_round_quickly(g, dealer)
        else:
            start_round(g, dealer)
            g.stock[: g.deck] = range(g.deck - 1, -1, -1)  # card 0 is the first of the deck, and the top comes last
            deal(g)
        self._dealt(before)

    def _dealt(self, before: tuple[Event, ...]) -> tuple[Event, ...]:
        g = self._game
        events = before + events_of(g, Side(self.options.start_side))
        self.history.append(Played(g.round, Seat(g.dealer), events, []))
        return events
