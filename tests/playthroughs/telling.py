"""A round as readable text, and back: headers, the deal, every move with what it caused, the table now and then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flipdeck.core.events import Event, What
from flipdeck.core.match import Match
from flipdeck.core.options import text_of_option

TABLE_EVERY = 6  # moves between two looks at the table


@dataclass(frozen=True)
class Opened:
    """How a playthrough begins: enough to deal it again."""

    title: str
    edition: str
    players: int
    options: dict[str, object]
    seed: str

    def match(self) -> Match:
        return Match(self.edition, self.players, seed=self.seed, options=self.options)

    def lines(self) -> list[str]:
        options = " ".join(f"{name}={text_of_option(value)}" for name, value in self.options.items())
        return [
            f"# {self.title}",
            f"edition: {self.edition}",
            f"players: {self.players}",
            f"options: {options}".rstrip(),
            f"seed: {self.seed}",
        ]


def told(opened: Opened, match: Match) -> str:
    """One round, replayed from its moves so that the table can be looked at on the way."""
    replay = opened.match()
    lines = [*opened.lines(), "", "deal", *_event_lines(replay.history[0].dealt), _table(replay)]
    said = match.history[0].said
    for number, each in enumerate(said, start=1):
        lines.append(f"{each.seat}: {each.move}")
        lines += _event_lines(replay.say(each.seat, each.move))
        if number % TABLE_EVERY == 0 or number == len(said):
            lines.append(_table(replay))
    return "\n".join([*lines, "", _end(replay)]) + "\n"


def replayed(text: str) -> str:
    """The same text, made anew from the headers and the moves in it."""
    return told(_opened(text), replayed_match(text))


def replayed_match(text: str) -> Match:
    match = _opened(text).match()
    for line in text.splitlines()[6:]:
        seat, colon, move = line.partition(": ")
        if colon and seat.isdigit():
            match.say(int(seat), move)
    return match


def _opened(text: str) -> Opened:
    title, *lines = text.splitlines()[:5]
    headers = {name: value.strip() for name, _, value in _parted(lines, ":")}
    options: dict[str, object] = {name: value for name, _, value in _parted(headers["options"].split(), "=")}
    return Opened(title.removeprefix("# "), headers["edition"], int(headers["players"]), options, headers["seed"])


def _parted(texts: list[str], at: str) -> list[tuple[str, str, str]]:
    return [text.partition(at) for text in texts]


def _event_lines(events: Sequence[Event]) -> list[str]:
    """The cards that a seat draws in a row are one line."""
    lines: list[str] = []
    last: Event | None = None
    for event in events:
        if last and event.what is What.DREW is last.what and event.seat == last.seat:
            lines[-1] += f" {event.card}"
        else:
            lines.append(f"    {_event_text(event)}")
        last = event
    return lines


def _event_text(event: Event) -> str:
    words = [event.what.value]
    if event.seat is not None:
        words.append(str(event.seat))
    if event.by is not None:
        words.append(f"by {event.by}")
    if event.card:
        words.append(str(event.card))
    words += [str(card) for card in event.cards or ()]
    if event.color:
        words.append(event.color.value)
    if event.what is What.FLIPPED:
        words.append(f"to {event.side.value}")
    for name in ("direction", "points", "scores", "winners"):
        value = getattr(event, name)
        if value is not None:
            words.append(f"{name} {value if isinstance(value, int) else ' '.join(map(str, value))}")
    return " ".join(words)


def _table(match: Match) -> str:
    """What a spectator sees, and the hand of the player to act as that player sees it."""
    view = match.view(None)
    hands = " ".join(str(len(other.backs)) for other in view.others)
    color = view.color.value if view.color else "to be called"
    line = (
        f"    | {view.side.value}, top {view.top}, color {color}, direction {view.direction:+d}, {view.phase.value}, "
        f"hands {hands}, draw {view.draw_count} back {view.draw_back or 'none'}, discard {view.discard_count}"
    )
    if view.to_act is None:
        return line
    hand = " ".join(map(str, match.view(view.to_act).hand))
    return f"{line}\n    | {view.to_act} to act, holds {hand}"


def _end(match: Match) -> str:
    now = match.round
    winner = "void" if now.winner is None else f"won by {now.winner}"
    won = f"; match won by {' '.join(map(str, match.winners))}" if match.over else ""
    return f"end: round {winner}, points {' '.join(map(str, now.points))}{won}"
