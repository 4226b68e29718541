"""Replays of finished matches, step by step, as a seat saw them or with all cards open.

Only the moves are cached; for each request the match is played again and shown as a table would.  That takes some 10 ms
and is done in one thread, so that live tables go on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from ...core.cards import Card
from ...core.events import Event, What
from ...core.history import Said
from ...core.match import Match
from ...core.record import parse
from ...wire import rest
from ...wire.errors import TableRefusal
from ...wire.facts import option_infos
from ...wire.parts import EventInfo, ViewInfo
from ..bounded import BoundedDict
from ..journal import ReplayPlayer
from ..limits import TokenBuckets
from ..lobby import Lobby

LONGEST = 1_000_000  # characters of a record: some 50,000 moves, and seconds to replay them
MOST_READ = 2 * LONGEST  # characters of records whose matches are cached
OFFERED = frozenset(option.name for option in option_infos())  # the others are no house rules
T = TypeVar("T")
_view = msgspec.json.Decoder(ViewInfo)


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
class Script:
    """A match as its moves."""

    summary: rest.ReplayInfo
    opening: Opening
    moves: Sequence[Sequence[tuple[int, str]]]  # seat and move, by round
    size: int  # characters of its record


class Replays:
    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._thread = ThreadPoolExecutor(1, "replays")
        self._scripts: BoundedDict[str, Script] = BoundedDict(MOST_READ, lambda script: script.size)
        self._asking = TokenBuckets(rate=4, burst=60, most=10_000)

    async def match(self, name: str, address: str) -> rest.ReplayInfo:
        return (await self._script(name, address)).summary

    async def round(self, name: str, number: int, seat: int | None, address: str) -> rest.ReplayRound:
        script = await self._script(name, address)
        rounds, players = len(script.moves), script.summary.players
        if not 1 <= number <= rounds:
            raise TableRefusal("not-now", "no-such-round", problem=f"the match has rounds 1 to {rounds}.")
        if seat is not None and not 0 <= seat < players:
            raise TableRefusal("not-now", "no-such-seat", problem=f"the match has seats 0 to {players - 1}.")
        return await self._in_thread(play_again, script, number, seat)

    async def _script(self, name: str, address: str) -> Script:
        if not self._asking.take(address, asyncio.get_running_loop().time()):
            raise TableRefusal("too-fast")
        record = await self._lobby.replay(name, address)
        script = self._scripts.recent(name)
        if script is None:
            if len(record) > LONGEST:
                raise TableRefusal("not-now", "too-long", problem="this match is too long to show; read its record.")
            players = await self._lobby.context.journal.replay_players(name)
            script = self._scripts[name] = await self._in_thread(read, record, players)
        return script

    async def _in_thread(self, work: Callable[..., T], *of: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *of)


def read(record: str, players: Sequence[ReplayPlayer]) -> Script:
    match = parse(record)
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
        rounds=list(_rounds_of(match)),
        winners=list(match.winners),
    )
    moves = [[(int(each.seat), str(each.move)) for each in played.said] for played in match.history]
    return Script(summary, opening, moves, len(record))


def _rounds_of(match: Match) -> Iterable[rest.PlayedRound]:
    scores = [0] * match.players
    for played in match.history:
        points, winner = [0] * match.players, None
        for event in _last_events(played.said):
            if event.what is What.WENT_OUT:
                winner = event.seat
            elif event.what is What.SCORED:
                points, scores = list(event.points or ()), list(event.scores or ())
        yield rest.PlayedRound(played.number, winner, points, scores, int(played.dealer), len(played.said) + 1)


def _last_events(said: Sequence[Said]) -> Sequence[Event]:
    return said[-1].events if said else ()


def play_again(script: Script, number: int, seat: int | None) -> rest.ReplayRound:
    """One round as a seat saw it, or open."""
    match = script.opening.deal()
    for moves in script.moves[: number - 1]:
        for who, move in moves:
            match.say(who, move)
        match.next_round()
    steps = [_step(match, seat, None, None, match.history[-1].dealt)]
    for who, move in script.moves[number - 1]:
        steps.append(_step(match, seat, who, move, match.say(who, move)))
    return rest.ReplayRound(number, seat, steps)


def _step(
    match: Match, viewer: int | None, who: int | None, move: str | None, events: Iterable[Event]
) -> rest.ReplayStep:
    """All cards may be open only because the match is over."""
    hands: Any = match.secret_state()["hands"] if viewer is None else None
    seen = events if viewer is None else match.seen(events, viewer)
    return rest.ReplayStep(
        seat=who,
        move=move,
        events=[msgspec.convert(event.to_dict(), EventInfo) for event in seen],
        view=_view.decode(match.view_text(viewer)),
        hands=hands,
    )
