"""A match as text: headers, then round by round the cards dealt and what every seat said.

    flipdeck record 2
    edition: classic
    players: 2
    seed: 6f2c…
    commitment: 91ab…
    secret: 02fe…
    values: 0:77ac… 1:90d1…

    round 1, dealer 0
    for the deal: 0 G8, 1 R3
    hand 1: R7/O1 …
    hand 0: B2/P6 …
    open: R5/T5
    1 R7/O1
    0 draw [0: G5/T4]
    …
    left 0: G5/T4 …
    out 1, points 0 45, scores 0 45

    end: unfinished

The seed decides every card, so a record is replayed from its headers and its moves alone; the cards written beside
them are compared with those of the replay, and the first line that differs is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TypeVar

from .cards import Card
from .errors import BadRecord, Refusal
from .events import Event, What
from .history import Played, Said
from .match import Match
from .options import text_of_option
from .seeds import commitment_of, seed_with_values

VERSION = 2
_BEGINNING = "flipdeck record "
FIRST_LINE = f"{_BEGINNING}{VERSION}"
_HEADERS = ("edition", "players", "options", "seed", "commitment", "secret", "values", "dealer", "deck")
_NEEDED = ("edition", "players", "seed", "commitment")
SomeMatch = TypeVar("SomeMatch", bound=Match)


# ---------------------------------------------------------------- writing
def write(match: Match) -> str:
    return "\n".join([FIRST_LINE, *_header_lines(match), *write_history(match), "", _end_line(match)]) + "\n"


def write_history(match: Match) -> list[str]:
    """The rounds of a record: what was archived, as one text, then line by line what followed."""
    lines = [match.archived] if match.archived else []
    for played in match.history:
        if played.dealt:
            lines += ["", *_deal_lines(played)]
        for said in played.said:
            lines += _said_lines(said)
    return lines


def _header_lines(match: Match) -> list[str]:
    changed = match.options.differences(match.edition.options)
    values = {
        "edition": match.edition.name,
        "players": str(match.players),
        "options": " ".join(f"{name}={text_of_option(value)}" for name, value in changed.items()),
        "seed": match.seed.hex(),
        "commitment": match.commitment,
        "secret": match.secret.hex() if match.values else "",
        "values": " ".join(f"{seat}:{match.values[seat].hex()}" for seat in sorted(match.values)),
        "dealer": "" if match.given_dealer is None else str(match.given_dealer),
        "deck": "" if match.given_deck is None else _cards(match.given_deck),
    }
    return [f"{name}: {value}" for name, value in values.items() if value]


def _deal_lines(played: Played) -> list[str]:
    lines = [f"round {played.number}, dealer {played.dealer}"]
    drawn = [f"{e.seat} {e.card.light}" for e in played.dealt if e.what is What.DEALER_CARD and e.card]
    if drawn:
        lines.append(f"for the deal: {', '.join(drawn)}")
    lines += [f"hand {e.seat}: {_cards(e.cards)}" for e in played.dealt if e.what is What.DEALT and e.cards]
    return [*lines, f"open: {_opening(played.dealt)}{_drawn(played.dealt)}"]


def _opening(events: Sequence[Event]) -> str:
    """The cards turned up in order; one that went back into the draw pile has ``<`` behind it."""
    texts: list[str] = []
    for event in events:
        if event.what is What.TURNED_UP:
            texts.append(str(event.card))
        elif event.what is What.RETURNED:
            texts[-1] += "<"
    return " ".join(texts)


def _said_lines(said: Said) -> list[str]:
    """A move with the cards drawn by it; after it the end of the round, if it was the last."""
    events = said.events
    return [f"{said.seat} {said.text}{_drawn(events)}", *_round_end(events)]


def _drawn(events: Sequence[Event]) -> str:
    draws = [event for event in events if event.what is What.DREW]
    by_seat = groupby(draws, key=lambda event: event.seat)
    return "".join(f" [{seat}: {' '.join(str(event.card) for event in theirs)}]" for seat, theirs in by_seat)


def _round_end(events: Sequence[Event]) -> list[str]:
    ends = [_end_text(event) for event in events if event.what in (What.WENT_OUT, What.ROUND_VOID, What.SCORED)]
    left = [f"left {e.seat}: {_cards(e.cards)}" for e in events if e.what is What.LAID_OPEN and e.cards]
    return [*left, ", ".join(ends)] if ends else []


def _end_text(event: Event) -> str:
    if event.what is What.WENT_OUT:
        return f"out {event.seat}"
    if event.what is What.ROUND_VOID:
        return "void"
    return f"points {_numbers(event.points)}, scores {_numbers(event.scores)}"


def _end_line(match: Match) -> str:
    return f"end: won by {_numbers(match.winners)}" if match.over else "end: unfinished"


def _cards(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))


def _numbers(numbers: Sequence[int] | None) -> str:
    return " ".join(map(str, numbers or ()))


# ---------------------------------------------------------------- reading
def parse(text: str) -> Match:
    """Replay a record; a BadRecord names the first line that can't be."""
    return parse_as(Match, text)


def parse_as(kind: type[SomeMatch], text: str) -> SomeMatch:
    """The same as a match of this class."""
    for match in _follow_as(kind, text):  # noqa: B007  # it is one match, as it stands in the end
        pass
    return match


def follow(text: str) -> Iterator[Match]:
    """The same step by step: the match after each deal and each move.

    Whoever reads a long one may let it ``forget`` on the way, and rest.
    """
    return _follow_as(Match, text)


def _follow_as(kind: type[SomeMatch], text: str) -> Iterator[SomeMatch]:
    lines = _Lines(text)
    match = _match_from(kind, _read_headers(lines))
    while True:
        yield from _replay_round(match, lines)
        if lines.text.startswith("end:"):
            lines.expect(_end_line(match))
            lines.expect_nothing_more()
            return
        try:
            match.next_round()
        except Refusal as refusal:
            raise lines.bad(refusal) from None


class _Lines:
    """The lines of a record that say something, one at a time, with their numbers."""

    def __init__(self, text: str) -> None:
        numbered = enumerate(text.split("\n"), start=1)
        self._rest: Iterator[tuple[int, str]] = ((n, line.strip()) for n, line in numbered if line.strip())
        self._last = text.count("\n") + 1
        self.number, self.text = 0, ""
        self.advance()

    def advance(self) -> None:
        self.number, self.text = next(self._rest, (self._last, ""))

    def bad(self, problem: Refusal) -> BadRecord:
        return BadRecord(self.number, problem if self.text else Refusal("record-breaks-off"))

    def expect(self, want: str) -> None:
        if self.text != want:
            raise self.bad(Refusal("record-should-be", want=want, got=_short(self.text)))
        self.advance()

    def expect_nothing_more(self) -> None:
        if self.text:
            raise self.bad(Refusal("record-should-end", got=_short(self.text)))


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "…"


def _read_headers(lines: _Lines) -> dict[str, tuple[_Header, str]]:
    version = lines.text.removeprefix(_BEGINNING)
    if version != lines.text and version.isascii() and version.isdigit() and version != str(VERSION):
        raise lines.bad(Refusal("record-version", want=VERSION, got=_short(version)))
    if lines.text != FIRST_LINE:
        raise lines.bad(Refusal("record-begins", want=FIRST_LINE, got=_short(lines.text)))
    lines.advance()
    headers: dict[str, tuple[_Header, str]] = {}
    while not lines.text.startswith("round "):
        name, colon, value = lines.text.partition(":")
        if name not in _HEADERS or not colon or name in headers:
            raise lines.bad(Refusal("record-header", known=", ".join(_HEADERS)))
        headers[name] = (_Header(lines.number), value.strip())
        lines.advance()
    for name in _NEEDED:
        if name not in headers:
            raise lines.bad(Refusal("record-header-missing", name=name))
    return headers


class _Header:
    """Turns what goes wrong with a header into a BadRecord of its line."""

    def __init__(self, line: int) -> None:
        self.line = line

    def bad(self, problem: Refusal) -> BadRecord:
        return BadRecord(self.line, problem)

    def number(self, text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            raise self.bad(Refusal("record-number", got=_short(text)))
        return int(text)

    def digits(self, text: str) -> bytes:
        if len(text) != 64 or set(text) - set("0123456789abcdef"):
            raise self.bad(Refusal("record-seed"))
        return bytes.fromhex(text)

    def values(self, text: str) -> dict[int, bytes]:
        values: dict[int, bytes] = {}
        for part in text.split():
            seat, colon, digits = part.partition(":")
            if not colon or not (seat.isascii() and seat.isdigit() and len(seat) == 1) or int(seat) in values:
                raise self.bad(Refusal("record-values", got=_short(part)))
            values[int(seat)] = self.digits(digits)
        return values

    def pairs(self, text: str) -> dict[str, object]:
        pairs: dict[str, object] = {}
        for part in text.split():
            name, equals, value = part.partition("=")
            if not equals or name in pairs:
                raise self.bad(Refusal("record-options", got=_short(part)))
            pairs[name] = value
        return pairs


def _match_from(kind: type[SomeMatch], headers: dict[str, tuple[_Header, str]]) -> SomeMatch:
    """The match that the headers describe, its first round dealt."""
    given = _secret_from(headers)
    # one header after the other, so that a refusal is blamed on the line that brought it
    for name in ("edition", "players", "options", "values", "dealer", "deck"):
        if name not in headers:
            continue
        line, value = headers[name]
        given[name] = _value(name, line, value)
        try:
            match = kind(**{"players": 2, **given})  # type: ignore[arg-type]
        except Refusal as refusal:
            raise line.bad(refusal) from None
    return match


def _secret_from(headers: dict[str, tuple[_Header, str]]) -> dict[str, object]:
    """The secret of the match, which the commitment is of; where seats added values it has a header of its own."""
    seed_line, seed = headers["seed"]
    secret_line, secret = headers.get("secret", headers["seed"])
    bytes_of_seed, bytes_of_secret = seed_line.digits(seed), secret_line.digits(secret)
    commitment_line, commitment = headers["commitment"]
    if commitment != commitment_of(bytes_of_secret):
        raise commitment_line.bad(Refusal("record-commitment"))
    values_line, values = headers.get("values", (secret_line, ""))
    if values and "secret" not in headers:
        raise values_line.bad(Refusal("record-values", got=_short(values)))
    if seed_with_values(bytes_of_secret, values_line.values(values)) != bytes_of_seed:
        raise seed_line.bad(Refusal("record-seed-differs"))
    return {"seed": bytes_of_secret}


def _value(name: str, line: _Header, value: str) -> object:
    if name in ("players", "dealer"):
        return line.number(value)
    if name == "options":
        return line.pairs(value)
    if name == "values":
        return line.values(value)
    return value.split() if name == "deck" else value


def _replay_round(match: SomeMatch, lines: _Lines) -> Iterator[SomeMatch]:
    """Compare the deal, then replay and compare move by move until the next round or the end."""
    for line in _deal_lines(match.history[-1]):
        lines.expect(line)
    yield match
    while not lines.text.startswith(("round ", "end:")):
        seat, _, rest = lines.text.partition(" ")
        move = rest.partition(" [")[0]
        if not (seat.isascii() and seat.isdigit() and len(seat) < 3):
            raise lines.bad(Refusal("record-no-seat", got=_short(seat)))
        try:
            match.say(int(seat), move)
        except Refusal as refusal:
            raise lines.bad(refusal) from None
        for line in _said_lines(match.history[-1].said[-1]):
            lines.expect(line)
        yield match
