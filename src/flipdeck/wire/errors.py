"""Every code that a refusal on the wire can have.  A code never changes its meaning.

The codes of the rules come from ``core.errors`` with their own sentences; those of the table are here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ..core.errors import Refusal

# the rules
GameCode = Literal["bad-notation", "bad-option", "bad-request", "not-your-turn", "illegal-move", "game-over"]
# the table
ServerCode = Literal[
    "bad-message",
    "bad-protocol",
    "bad-token",
    "bad-name",
    "bad-host",
    "bad-origin",
    "banned",
    "chat-off",
    "closed",
    "closed-by-operator",
    "damaged-replay",
    "damaged-table",
    "greet-first",
    "internal-error",
    "kept-out",
    "left",
    "level-unavailable",
    "limit",
    "locked",
    "moved",
    "newer-table",
    "no-replay",
    "no-such-path",
    "no-table",
    "not-host",
    "not-now",
    "not-seated",
    "no-watchers",
    "old-replay",
    "old-table",
    "replaced",
    "removed",
    "seat-taken",
    "seats-empty",
    "shutting-down",
    "stale-version",
    "table-elsewhere",
    "table-full",
    "too-big",
    "too-fast",
    "too-slow",
    "unavailable",
    "voted-out",
    "wrong-value",
]
Code = GameCode | ServerCode

SENTENCES: dict[ServerCode, str] = {
    "bad-message": "This message can't be read: {problem}",
    "bad-protocol": "This server speaks protocol {known}, not {got}: reload the page, or update the program.",
    "bad-token": "This token belongs to no seat of this table.",
    "bad-name": "A name needs at least one letter that can be seen.",
    "bad-host": "This server is not known by this name: whoever runs it names it with --public-url.",
    "bad-origin": "Only pages of this server may connect to it.",
    "banned": "The host has removed you from this table: you can't come back.",
    "chat-off": "There is no chat at this table.",
    "closed": "This table has been idle for a long time; it is kept, and opens again when you come back.",
    "closed-by-operator": "Whoever runs this server has closed this table.",
    "damaged-replay": "The record of this match is damaged in the server's storage, and can't be shown.",
    "damaged-table": "A part of this table's journal is damaged; whoever runs the server can repair it.",
    "greet-first": "Send hello first, once, within {seconds} seconds.",
    "internal-error": "Something failed inside the server and was logged; what was acknowledged is kept: try again.",
    "kept-out": "Whoever runs this server lets nobody in from your address for a time.",
    "left": "You have left the table; your seat is kept until the match is over.",
    "level-unavailable": "This server can't play bots of this level: choose another one.",
    "limit": "There are too many {what} already: try again later.",
    "locked": "The host has locked this table: it takes no new people.",
    "moved": "This seat has moved to another device.",
    "newer-table": "A newer version of the server has played this table, and this one can't read it: try again later.",
    "no-replay": "There is no such match, or it is not over yet.",
    "no-such-path": "There is nothing at this address: check it.",
    "no-table": "There is no table {table}: check the code.",
    "not-host": "Only the host of the table can do this.",
    "not-now": "This can't be done now: {problem}",
    "not-seated": "Spectators can't do this.",
    "no-watchers": "This table does not admit spectators.",
    "old-replay": "This match was played by an earlier version of the rules, which this server can't replay.",
    "old-table": "This table was made for an earlier version of the rules, and can't be played on: make a new one.",
    "replaced": "This seat is now played from another window or device.",
    "removed": "The host has removed you from the table.",
    "seat-taken": "Seat {seat} is taken.",
    "seats-empty": "There are empty seats: add bots, or remove the seats.",
    "shutting-down": "The server is restarting; the game is kept, and continues where it was.",
    "stale-version": "The table has moved on to version {now}: look again.",
    "table-elsewhere": "Another server still has this table: it comes over in a few seconds.",
    "table-full": "Every seat of this table is taken.",
    "too-big": "A message has at most {most} bytes.",
    "too-fast": "Too many messages at once: slow down.",
    "too-slow": "This connection reads too slowly: connect again to catch up.",
    "unavailable": "The table can't be saved just now, so nothing was done: try again.",
    "voted-out": "The others have voted you out: you can watch, and your seat is yours again in the next match.",
    "wrong-value": "This is not the value that the seat has pledged.",
}


# finer reasons of the table's own refusals, by code; those of the rules are in core.errors
REASONS: dict[str, ServerCode] = {
    "already-ready": "not-now",
    "begun": "not-now",
    "bot-seats-only": "not-now",
    "dealer-not-chosen": "not-now",
    "many-watchers": "too-fast",
    "no-pledge": "not-now",
    "no-such-round": "not-now",
    "no-such-seat": "not-now",
    "no-such-step": "not-now",
    "not-away": "not-now",
    "not-begun": "not-now",
    "not-between": "not-now",
    "not-over": "not-now",
    "not-slow": "not-now",
    "not-starting": "not-now",
    "older-servers": "not-now",
    "own-seat": "not-now",
    "too-long": "not-now",
    "turn-seconds": "not-now",
    "two-seats": "not-now",
}


class TableRefusal(Exception):  # noqa: N818  # the table refuses; nothing is in error
    """A refusal by the table: nothing has changed."""

    def __init__(self, code: ServerCode, reason: str | None = None, **facts: object) -> None:
        self.code: Code = code
        self.reason = reason or code
        self.facts = _plain(facts)
        super().__init__(SENTENCES[code].format(**facts))

    @classmethod
    def of_game(cls, refusal: Refusal) -> TableRefusal:
        """A refusal by the rules, with its own code, reason and sentence."""
        made = cls.__new__(cls)
        Exception.__init__(made, str(refusal))
        made.code, made.reason = refusal.code, refusal.reason  # type: ignore[assignment]  # one of GameCode, by test
        made.facts = _plain(refusal.facts)
        return made


def _plain(facts: Mapping[str, object]) -> dict[str, str | int]:
    """A boolean is a text too: ``facts`` on the wire are texts and numbers."""
    return {name: fact if type(fact) is int else str(fact)[:200] for name, fact in facts.items()}
