"""The rules as a JSON-lines protocol for programs in any language: one request per line in, one answer per line out.

A bad line gets {"ok": false, "error": CODE, "message": TEXT} and changes nothing.  docs/referee.md is the reference.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
from collections.abc import Callable, Iterator
from typing import BinaryIO

from ..core.errors import Refusal
from ..core.events import Event
from ..core.match import Match

EXAMPLE = """example:
  printf '%s\\n' '{"op":"new","players":3,"seed":"abc"}' '{"op":"view","seat":1}' | flipdeck referee"""

MAX_LINE = 1 << 20  # bytes; the longest valid request, a whole deck, has 1,500

# every code in "error" besides those of the game's refusals
CODES = ("bad-json", "bad-request", "no-match")


class RequestError(Exception):  # a refusal, like those of the game
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """None: requests carry all arguments."""
    del parser


def run(args: argparse.Namespace) -> int:
    del args
    referee = Referee()
    for line in _lines(sys.stdin.buffer):
        print(json.dumps(referee.answer(line), separators=(",", ":")), flush=True)
    return 0


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Lines without their line ends; one that is too long is truncated just past the limit."""
    while line := stream.readline(MAX_LINE + 2):
        rest = line
        while len(rest) > MAX_LINE and not rest.endswith(b"\n"):
            rest = stream.readline(MAX_LINE + 2)
        yield line.rstrip(b"\r\n")


class Referee:
    """One match at a time, driven by requests."""

    def __init__(self) -> None:
        self._match: Match | None = None
        self._ops: dict[str, Callable[[dict[str, object]], dict[str, object]]] = {
            "new": self._new,
            "move": self._move,
            "legal": self._legal,
            "view": self._view,
            "next-round": self._next_round,
            "record": self._record,
        }

    def answer(self, line: bytes) -> dict[str, object]:
        try:
            request = _request(line)
            op = request.pop("op", None)
            if not isinstance(op, str) or op not in self._ops:
                raise RequestError("bad-request", f"'op' must be one of {', '.join(self._ops)}.")
            return {"ok": True, **self._ops[op](request)}
        except (RequestError, Refusal) as error:
            return {"ok": False, "error": error.code, "message": str(error)}

    # ------------------------------------------------------------ the requests
    def _new(self, request: dict[str, object]) -> dict[str, object]:
        _only(request, "edition", "players", "dealer", "options", "seed", "deck")
        options = request.get("options")
        if options is not None and not isinstance(options, dict):
            raise RequestError("bad-request", "'options' must be an object of names and values.")
        deck = request.get("deck")
        if deck is not None and not (isinstance(deck, list) and all(isinstance(card, str) for card in deck)):
            raise RequestError("bad-request", "'deck' must be a list of cards, top card first.")
        self._match = Match(
            request.get("edition", "classic"),  # type: ignore[arg-type]  # Match validates it
            request.get("players", 4),  # type: ignore[arg-type]
            seed=_seed(request.get("seed")),
            options=options,
            dealer=request.get("dealer"),  # type: ignore[arg-type]
            deck=deck,
        )
        return {"events": _to_json(self._match.history[0].dealt), **self._state(self._match)}

    def _move(self, request: dict[str, object]) -> dict[str, object]:
        _only(request, "seat", "move")
        match, seat = self._of(request)
        move = request.get("move")
        if not isinstance(move, str):
            raise RequestError("bad-request", "'move' must be a text.")
        return {"events": _to_json(match.say(seat, move)), **self._state(match)}

    def _legal(self, request: dict[str, object]) -> dict[str, object]:
        _only(request, "seat")
        match, seat = self._of(request)
        return {"moves": [str(move) for move in match.legal(seat)]}

    def _view(self, request: dict[str, object]) -> dict[str, object]:
        _only(request, "seat")
        if request.get("seat", 0) is None:
            return {"view": self._now().view(None).to_dict()}
        match, seat = self._of(request)
        return {"view": match.view(seat).to_dict()}

    def _next_round(self, request: dict[str, object]) -> dict[str, object]:
        _only(request)
        match = self._now()
        return {"events": _to_json(match.next_round()), **self._state(match)}

    def _record(self, request: dict[str, object]) -> dict[str, object]:
        _only(request)
        return {"record": self._now().record()}

    # ------------------------------------------------------------ within
    def _now(self) -> Match:
        if self._match is None:
            raise RequestError("no-match", "There is no match yet: begin one with the op 'new'.")
        return self._match

    def _of(self, request: dict[str, object]) -> tuple[Match, int]:
        """The match and the seat of a request; the match refuses a seat that does not exist."""
        match, seat = self._now(), request.get("seat")
        if type(seat) is not int:
            raise RequestError("bad-request", "'seat' must be the number of a seat.")
        return match, seat

    @staticmethod
    def _state(match: Match) -> dict[str, object]:
        return {"state": match.secret_state()}


def _request(line: bytes) -> dict[str, object]:
    if len(line) > MAX_LINE:
        raise RequestError("bad-request", f"A request has at most {MAX_LINE} bytes.")
    try:
        request = json.loads(line.decode("utf-8"), parse_constant=_no_constant, object_pairs_hook=_once)
    except RecursionError:
        raise RequestError("bad-json", "The line is nested too deeply.") from None
    except ValueError as error:
        raise RequestError("bad-json", f"The line is not JSON: {error}.") from None
    if not isinstance(request, dict):
        raise RequestError("bad-request", "A request is a JSON object.")
    return request


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    keys = dict(pairs)
    if len(keys) < len(pairs):
        raise ValueError("a field comes twice")
    return keys


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")


def _only(request: dict[str, object], *fields: str) -> None:
    for name in request:
        if name not in fields:
            known = f"it takes {', '.join(fields)}" if fields else "it takes no other field"
            raise RequestError("bad-request", f"This op has no field {name[:40]!r}; {known}.")


def _seed(value: object) -> str | bytes:
    if value is None:
        return secrets.token_bytes(32)
    if type(value) is int:
        return str(value)
    if not isinstance(value, str):
        raise RequestError("bad-request", "'seed' must be a text.")
    return value


def _to_json(events: tuple[Event, ...]) -> list[dict[str, object]]:
    return [event.to_dict() for event in events]
