"""Tables in random positions, and others that look the same to one viewer: whatever that viewer can't know is redrawn.

A twin of a table has the same faces where its viewer could see them, and shuffled ones everywhere else; another seed
and another name for its replay; and a history that tells of the twin's cards, step by step.  Points and scores stay:
they are public.  So do the faces with which the dealer was drawn for, which were shown to everybody, once.

What stands for a twin's commitment is up to the test: a hash of another seed is another hash, and tells nobody which.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from random import Random

from flipdeck.core import editions
from flipdeck.core.cards import Side
from flipdeck.core.codes import DARK, LIGHT
from flipdeck.core.events import Event, events_of
from flipdeck.core.match import Match
from flipdeck.core.notation import Draw, Keep, Move
from flipdeck.core.rules.hands import index_faces
from flipdeck.core.state import Game
from flipdeck.server import identity
from flipdeck.server.table import entries
from flipdeck.server.table.frames import Viewer
from flipdeck.server.table.seats import SeatState
from flipdeck.server.table.state import TableState
from flipdeck.wire.parts import Settings
from tests.random_matches import VAIN, all_that_can_be_said
from tests.resampling import Slot, _renumber, shown_by_events, visible_now

from .playing import offered_table

NAMES = ("Zacharias", "Yolanthe", "Xaverius", "Wilhelmina", "Valentina", "Ulysses", "Theodora", "Sebastian", "Q", "P")

STATES_OF_A_TABLE = 40
FEW = (2, 2, 3, 4, 10)  # seats at most: most tables are small, and at those most is hidden


@dataclass(frozen=True)
class PastStep:
    """What a step left behind, to tell of it again with other faces."""

    version: int
    events: tuple[Event, ...]
    side: Side  # in play when it began
    game: Game


def token_of(seat: int) -> str:
    return f"{'secretsecretsecretsec'}{seat}"


def match_of(state: TableState) -> Match:
    assert state.match is not None
    return state.match


class RandomPosition:
    """A table at which a match is played at random, step by step."""

    def __init__(self, dice: Random, valued: object = False, **fixed: object) -> None:
        table = offered_table(dice, **fixed)
        table = replace(table, players=min(table.players, dice.choice(FEW)))
        settings = Settings(
            table.edition,
            table.options,  # type: ignore[arg-type]  # plain values, all of them
            table.players,
            public=True,
            grace_ms=dice.choice((0, 1000)),
        )
        seed, replay = dice.randbytes(32).hex(), "".join(dice.choices(identity.CODE_LETTERS.lower(), k=26))
        self.state = entries.Made(code="K7QM2XRD", settings=settings, seed=seed, replay=replay).make_state()
        for seat in range(table.players):
            entries.apply(
                self.state, entries.Sat(seat=seat, name=NAMES[seat], token=identity.hash_token(token_of(seat)))
            )
        self.moments: list[PastStep] = []
        self._dice = dice
        values = {0: dice.randbytes(32).hex()} if valued else {}
        for seat in values:
            entries.apply(self.state, entries.Pledged(seat=seat, pledge=dice.randbytes(32).hex()))
        options = editions.edition(table.edition).options.changed(table.options)
        self._apply(entries.Started(values=values), Side(options.start_side))

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        return (None, *range(match_of(self.state).players))

    def step(self) -> bool:
        """One more step; False when the match is over."""
        match = match_of(self.state)
        if match.over:
            return False
        if match.round.over:
            self._apply(entries.NextRound(), Side(match.options.start_side))
        else:
            seat, move = self._something(match)
            self._apply(entries.Moved(seat=seat, move=str(move)), match.round.side)
        return True

    def _apply(self, entry: entries.AnyEntry, side: Side) -> None:
        events = tuple(entries.apply(self.state, entry))
        self.moments.append(PastStep(self.state.version, events, side, match_of(self.state)._game.copy()))

    def _something(self, match: Match) -> tuple[int, Move]:
        """Mostly whoever is on turn, who would rather play; now and then anybody, whatever they may."""
        seat = match.to_act
        assert seat is not None
        if self._dice.random() < VAIN or match.catchable:
            return self._dice.choice(all_that_can_be_said(match))
        moves = match.legal(seat)
        return seat, self._dice.choice([move for move in moves if not isinstance(move, Draw | Keep)] or moves)

    # ------------------------------------------------------------ what a viewer knows, and what else it could be
    def known(self, viewer: Viewer, steps: int) -> set[Slot]:
        """What lies open to a viewer now, and what the last steps have shown them."""
        match = match_of(self.state)
        own_backs = match.options.own_backs
        slots = visible_now(match._game, viewer, own_backs)
        for moment in self.moments[-steps:]:
            slots |= shown_by_events(moment.game, moment.side, viewer, own_backs)
        return slots

    def twin(self, viewer: Viewer, steps: int, renumber: bool, soon: Set[Slot] = frozenset()) -> TableState:
        """The same to this viewer, who has seen the last steps; everything else is another table.

        ``soon`` is what the viewer is going to see, and stays too.
        """
        dice, match = self._dice, match_of(self.state)
        game = match._game.copy()
        _redraw(game, self.known(viewer, steps) | soon, dice)
        twin = copy.copy(self.state)
        twin.steps = [(moment.version, _told_again(moment, game.faces)) for moment in self.moments[-steps:]]
        if renumber:
            _renumber(game, dice)
        index_faces(game)
        twin.match = copy.copy(match)
        now = replace(match.history[-1], dealt=(), said=[])  # what is tried out is said in this round
        twin.match._game, twin.match.history = game, [now]
        if not match.over:  # then they are told
            twin.seed = twin.match.seed = twin.match.secret = dice.randbytes(32)
            twin.replay = f"{dice.getrandbits(128):x}"
        return twin


def positions(name: str, states: int, valued: object = False, **fixed: object) -> Iterator[RandomPosition]:
    """So many states, of as many tables as it takes: some from the deal on, some from far into a match.

    ``valued``: seat 0 has added a value to the deal.
    """
    dice = Random(name)
    while states > 0:
        position = RandomPosition(dice, valued, **fixed)
        for _ in range(dice.choice((0, 0, 10, 40, 100))):
            position.step()
        for _ in range(STATES_OF_A_TABLE):
            yield position
            states -= 1
            if states == 0 or not position.step():
                break


def with_own_chairs(state: TableState) -> TableState:
    """A table that can be changed without changing the other one."""
    twin = copy.copy(state)
    twin.seats = [SeatState(c.kind, c.name, tokens=c.tokens) for c in state.seats]
    twin.host = twin.seats[0]
    return twin


def _redraw(game: Game, known: set[Slot], dice: Random) -> None:
    for side in (LIGHT, DARK):
        hidden = [side + card for card in range(game.deck) if (side, card) not in known]
        faces = [game.faces[at] for at in hidden]
        faces.sort(key=lambda _: dice.random())
        for at, face in zip(hidden, faces, strict=True):
            game.faces[at] = face
    game.key = [dice.getrandbits(32) for _ in game.key]
    game.words = [dice.getrandbits(32) for _ in game.words]
    game.guilty = dice.randrange(2)  # nobody knows before the challenge, and then an event has told it


def _told_again(moment: PastStep, faces: list[int]) -> tuple[Event, ...]:
    game = moment.game
    own, game.faces = game.faces, faces
    events = events_of(game, moment.side)
    game.faces = own
    before = len(moment.events) - len(events)  # the draw for the first deal, which is in no log any more
    return (*moment.events[:before], *events)
