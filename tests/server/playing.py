"""How people at a table play on until something has happened, and deals that bring what a test is about."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from flipdeck.core.match import Match
from flipdeck.core.options import MINI
from tests.random_matches import TableSetup, random_table

if TYPE_CHECKING:
    from .seats import SeatClient

THINKING = 0.1
DOWN_TO_ONE: dict[str, Any] = {"hand_size": 2, "target": 5000}


def plain(legal: Sequence[str]) -> str:
    """A card if there is one, with UNO where that is to be said: rounds end soon, and nobody is caught."""
    return max(legal, key=lambda move: ("/" in move, move.endswith("!"), move != "challenge"))


async def play_on(
    seats: Sequence[SeatClient], until: Callable[[], bool], choose: Callable[[Sequence[str]], str] = plain
) -> None:
    """People say something plain whenever it is their turn, and are ready at once, until the test is content."""
    teller = seats[0]
    while not until():
        before = teller.version
        for seat in seats:
            if teller.table["phase"] == "between" and seat.you is not None:
                await seat.ask("ready")
            elif seat.on_turn:
                await asyncio.sleep(THINKING)  # whoever says all in one moment is sent away
                await seat.try_move(choose(seat.view["legal"]))
                break
        await teller.reach(before + 1)
        for seat in seats:
            await seat.reach(teller.version)


async def play_out(seats: Sequence[SeatClient]) -> None:
    await play_on(seats, lambda: bool(seats[0].table["phase"] == "over"))


def offered_table(dice: Random, **fixed: object) -> TableSetup:
    """A random table that a host can make: with nothing that is for research."""
    while True:
        table = random_table(dice, **fixed)
        if table.options.get("deck") != MINI:
            return replace(table, options={name: table.options[name] for name in table.options if name != "most_moves"})


def calm(match: Match) -> bool:
    """Seat 0 begins, and may draw a card that can't be played."""
    if match.to_act != 0 or str(match.view(0).phase.value) != "turn":
        return False
    match.say(0, "draw")
    return not any("/" in str(move) for move in match.legal(0))


def dealt(wanted: Callable[[Match], bool], players: int = 2, edition: str = "classic", **options: Any) -> str:
    """A seed with which the deal is as wanted; ``wanted`` may play on, the match is its own."""
    for number in range(5000):
        seed = f"deal {number}"
        if wanted(Match(edition, players, seed=seed, options=options)):
            return seed
    raise AssertionError("no such deal")


def first_goes_down_to_one(match: Match) -> bool:
    """Seat 0 begins, and a number card leaves it one card and seat 1 on turn, who can play too; see DOWN_TO_ONE."""
    if match.to_act != 0:
        return False
    numbers = [text for move in match.legal(0) if "/" in (text := str(move)) and text[1].isdigit()]
    if not numbers:
        return False
    match.say(0, numbers[0])
    return match.to_act == 1 and any("/" in str(move) for move in match.legal(1))


def number_card(seat: SeatClient) -> str:
    """Played without a word."""
    move: str = next(move for move in seat.view["legal"] if "/" in move and move[1].isdigit())
    return move
