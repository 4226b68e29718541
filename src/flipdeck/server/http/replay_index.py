"""A finished match, indexed: its moves, and checkpoints from which any part of it is played again.

All of it is ``SlicedWork`` for a thread (``slices``).  Neither the steps of a match nor its events are ever held: an
index has some 20 bytes a move, and a page of steps is made for each request.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from ...core.cards import Card
from ...core.events import Event, What
from ...core.history import SavedMatch
from ...core.match import Match
from ...core.record import follow
from ...wire import rest
from ...wire.facts import option_infos
from ..journal import ReplayPlayer
from ..slices import SlicedWork

MOVES_APART = 250  # from checkpoint to checkpoint: as many are played again before a page, in some 6 ms
OFFERED = frozenset(option.name for option in option_infos())  # the others are no house rules
_ROUND_SIZE = 500  # bytes of a round's summary
_decode = msgspec.msgpack.Decoder(SavedMatch).decode


@dataclass(frozen=True, slots=True)
class Opening:
    """All that decides the cards of a match: the headers of its record."""

    edition: str
    players: int
    seed: bytes
    options: Mapping[str, object]
    dealer: int | None  # as somebody named them
    deck: Sequence[Card] | None  # as somebody laid it

    def deal(self) -> Match:
        """The match with its first round dealt."""
        return Match(
            self.edition, self.players, seed=self.seed, options=self.options, dealer=self.dealer, deck=self.deck
        )


@dataclass(frozen=True, slots=True)
class ReplayIndex:
    summary: rest.ReplayInfo
    opening: Opening
    moves: Sequence[str]  # by round: seat and move, one a line
    checkpoints: Mapping[tuple[int, int], bytes]  # by round and moves made in it; the end of a round is one

    @property
    def size(self) -> int:
        """Bytes, about."""
        texts = sum(map(len, self.moves)) + sum(map(len, self.checkpoints.values()))
        return texts + _ROUND_SIZE * len(self.moves)

    def match_at(self, number: int, moves: int) -> Match:
        """The match after so many moves of a round, which are those of a checkpoint; after none, with its deal."""
        if moves:
            return Match.restore(_decode(self.checkpoints[number, moves]))
        if number == 1:
            return self.opening.deal()
        before = number - 1
        match = Match.restore(_decode(self.checkpoints[before, self.summary.rounds[before - 1].steps - 1]))
        match.next_round()
        return match


# ---------------------------------------------------------------- reading a record
def index_record(record: str, players: Sequence[ReplayPlayer]) -> SlicedWork[ReplayIndex]:
    moves: list[list[str]] = []
    rounds: list[rest.PlayedRound] = []
    checkpoints: dict[tuple[int, int], bytes] = {}
    for match in follow(record):
        played = match.history[-1]
        if match.round.number > len(moves):
            moves.append([])
        else:
            said = played.said[-1]
            moves[-1].append(f"{said.seat} {said.text}")
            if match.to_act is None:
                rounds.append(_summary_of(match, said.events, len(moves[-1])))
            if match.to_act is None or len(moves[-1]) % MOVES_APART == 0:
                match.forget()
                checkpoints[match.round.number, len(moves[-1])] = msgspec.msgpack.encode(match.save())
        yield
    changed = match.options.differences(match.edition.options)
    opening = Opening(match.edition.name, match.players, match.seed, changed, match.given_dealer, match.given_deck)
    summary = rest.ReplayInfo(
        edition=match.edition.name,
        options={name: changed[name] for name in changed if name in OFFERED},  # type: ignore[misc]  # option values
        players=match.players,
        names=[player.name for player in players],
        levels=[player.level for player in players],  # type: ignore[misc]  # stored levels
        seed=match.seed.hex(),
        commitment=match.commitment,
        rounds=rounds,
        winners=list(match.winners),
    )
    return ReplayIndex(summary, opening, ["\n".join(each) for each in moves], checkpoints)


def _summary_of(match: Match, events: Iterable[Event], moves: int) -> rest.PlayedRound:
    points, scores, winner = [0] * match.players, [0] * match.players, None
    for event in events:
        if event.what is What.WENT_OUT:
            winner = event.seat
        elif event.what is What.SCORED:
            points, scores = list(event.points or ()), list(event.scores or ())
    return rest.PlayedRound(match.round.number, winner, points, scores, int(match.round.dealer), moves + 1)


# ---------------------------------------------------------------- a page of steps
def page_of(index: ReplayIndex, number: int, seat: int | None, first: int, most: int) -> SlicedWork[bytes]:
    """Steps of one round as a seat saw them, or open: a ``rest.ReplayRound`` as JSON.  Step 0 is the deal."""
    made = max(0, first - 1) // MOVES_APART * MOVES_APART
    match = index.match_at(number, made)
    yield
    steps = [_step(match, seat, None, None, match.history[-1].dealt)] if first == 0 else []
    end = min(first + most, index.summary.rounds[number - 1].steps)
    for at, line in enumerate(index.moves[number - 1].split("\n")[made : end - 1], made + 1):
        who, _, move = line.partition(" ")
        events = match.say(int(who), move)
        if at >= first:
            steps.append(_step(match, seat, int(who), move, events))
        match.forget()
        yield
    following = end if end < index.summary.rounds[number - 1].steps else None
    return msgspec.json.encode({"number": number, "seat": seat, "first": first, "steps": steps, "next": following})


def _step(match: Match, viewer: int | None, who: int | None, move: str | None, events: Iterable[Event]) -> msgspec.Raw:
    """A ``rest.ReplayStep``.  All cards may be open only because the match is over."""
    seen = events if viewer is None else match.seen(events, viewer)
    step = {
        "seat": who,
        "move": move,
        "events": [event.to_dict() for event in seen],
        "view": msgspec.Raw(match.view_text(viewer).encode()),
        "hands": match.secret_state()["hands"] if viewer is None else None,
    }
    return msgspec.Raw(msgspec.json.encode(step))
