"""Narration: views and events as plain lines, one fact per line, friendly to screen readers.

Pure: a view or events go in, lines come out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...core.cards import Card, Color, Seat
from ...core.events import Event, What
from ...core.notation import Accept, CallColor, Catch, Challenge, Draw, Keep, Move, Play, SayUno
from ...core.view import Backs, Phase, View
from ...i18n import Catalogue
from ...i18n.happenings import together
from .choices import MenuItem


class Teller:
    """Narrates a match for one seat, or for a spectator (None), in one language."""

    def __init__(self, catalogue: Catalogue, you: int | None, names: Sequence[str]) -> None:
        self.catalogue = catalogue
        self.you = you
        self.names = names
        self.text = catalogue.text

    # ------------------------------------------------------------ what happened
    def narrate(self, events: Iterable[Event]) -> list[str]:
        """Events as lines; they must be those that this seat may see."""
        shown = together(event.to_dict() for event in events if not self._is_obvious(event))
        return [self.catalogue.event(event, self.you, self.names) for event in shown]

    def kept_unfit(self, drawn: Iterable[Event]) -> list[str]:
        """Cards that this seat drew, of which the last can't be played: it is kept."""
        *before, drew = together(event.to_dict() for event in drawn)
        side, cards = drew["side"], drew["cards"]
        facts = {
            "cards": self.catalogue.listed([self.catalogue.card(card, side) for card in cards]),
            "a_cards": self.catalogue.listed([self.catalogue.card(card, side, article=True) for card in cards]),
        }
        lines = [self.catalogue.event(event, self.you, self.names) for event in before]
        return [*lines, self.text("play.keeps", n=len(cards), **facts)]

    def _is_obvious(self, event: Event) -> bool:
        """A player needs no line about the hands dealt to others."""
        return event.what is What.DEALT and self.you is not None and event.seat != self.you

    def scores(self, totals: Sequence[int]) -> str:
        each = [self.text("scores.one", name=self.player(seat), total=total) for seat, total in enumerate(totals)]
        return self.text("scores.now", scores=", ".join(each))

    # ------------------------------------------------------------ the table
    def table(self, view: View) -> list[str]:
        return [self._middle(view), *(self._other(other) for other in self._in_turn(view)), self._draw_pile(view)]

    def _middle(self, view: View) -> str:
        side, top = self.catalogue.side(view.side.value), self.catalogue.face(str(view.top))
        if view.color is None:
            line = self.text("table.no_color", side=side, top=top)
        else:
            line = self.text("table.side", side=side, top=top, color=self.catalogue.color(view.color.value))
        if view.players == 2:
            return line
        return f"{line} {self.text('table.left' if view.direction > 0 else 'table.right')}"

    def _in_turn(self, view: View) -> list[Backs]:
        """The others in turn order, from the next."""
        first = -1 if view.you is None else view.you
        return sorted(view.others, key=lambda other: (other.seat - first) * view.direction % view.players)

    def _other(self, other: Backs) -> str:
        name = self.text("seat.number", name=self.name(other.seat), seat=other.seat)
        if not other.backs:
            return self.text("table.other.none", name=name)
        backs = ", ".join(self.catalogue.face(str(face)) for face in other.backs)
        return self.text("table.other", name=name, n=len(other.backs), backs=backs)

    def _draw_pile(self, view: View) -> str:
        if view.draw_back is None:
            return self.text("table.draw.none")
        return self.text("table.draw", n=view.draw_count, back=self.catalogue.face(str(view.draw_back)))

    def hand(self, view: View, besides: Iterable[Card] = ()) -> list[str]:
        """The hand in one line, without the cards ``besides``, which other lines name."""
        rest = list(view.hand)
        for card in besides:
            rest = [other for other in rest if other != card]
        if not rest:
            return []
        key = "table.hand" if len(rest) == len(view.hand) else "table.also"
        return [self.text(key, cards=self.catalogue.listed([self._card(view, card) for card in rest]))]

    # ------------------------------------------------------------ questions
    def question(self, view: View, choices: Sequence[MenuItem]) -> list[str]:
        """The prompt on turn."""
        cards = [choice.card for choice in choices if choice.card]
        table = [] if view.phase is Phase.DRAWN else self.table(view)
        lines = [*self._occasion(view), *table, *self.hand(view, cards), *self._silent(view)]
        return [*lines, *self.offer(view, choices)]

    def interruption(self, view: View, choices: Sequence[MenuItem]) -> list[str]:
        """The prompt out of turn."""
        jump = [self.text("ask.jump")] if any(choice.card for choice in choices) else []
        return [*self._silent(view), *jump, *self.offer(view, choices)]

    def offer(self, view: View, choices: Sequence[MenuItem]) -> list[str]:
        """The numbered menu, and how to choose."""
        lines = [
            self.text("ask.numbered", number=number, label=self._label(view, choice))
            for number, choice in enumerate(choices, start=1)
        ]
        if any(choice.with_uno for choice in choices):
            lines.append(self.text("ask.uno"))
        if view.to_act != view.you:
            return [*lines, self.text("ask.let_go")]
        last = len(choices)
        return [*lines, self.text("ask.choose", last=last) if last > 1 else self.text("ask.choose_one")]

    def help(self) -> list[str]:
        letters = ", ".join(f"{color.value} {self.catalogue.color(color.value)}" for color in Color)
        return self.text("play.help", letters=letters).split("\n")

    def rule(self, wanted: str) -> list[str]:
        """A rule of the book, in the words of the edition, and what was decided about it."""
        from ...i18n.rulebook import book  # read only when somebody asks

        if not wanted:
            return [self.text("problem.which_rule")]
        edition = self.catalogue.edition
        rules = book(self.catalogue.language, edition)
        found = [rule for topic in rules.find(wanted) for rule in topic.rules]
        if not found:
            return [self.text("problem.no_rule", id=repr(wanted))]
        lines = []
        for rule in found:
            lines.append(self.text("ask.rule", id=rule.id, name=rule.name, text=rule.text_in(edition)))
            lines += [f"{rules.labels['decided']}: {each.text}" for each in rule.decided_in(edition)]
        return lines

    def which_color(self, choice: MenuItem) -> str:
        colors = [self.catalogue.color(color.value) for color in choice.colors]
        numbered = [self.text("ask.numbered", number=i, label=color) for i, color in enumerate(colors, start=1)]
        return self.text("ask.which_color", choices=", ".join(numbered))

    def _occasion(self, view: View) -> list[str]:
        if view.phase is Phase.DRAWN and not any(isinstance(move, Play) for move in view.legal):
            return [self.text("ask.drawn_unfit")]
        if view.phase is not Phase.CHALLENGE:
            return [self.text(f"ask.{view.phase.value}")]
        top = str(view.top)
        facts = {"top": self.catalogue.face(top), "a_top": self.catalogue.a_face(top)}
        stacked = [self.text("ask.stacked", n=view.owed)] if view.owed > 1 else []
        return [self.text("ask.challenge", name=self._before(view), **facts), *stacked]

    def _silent(self, view: View) -> list[str]:
        """Players who missed UNO, if this seat can act on it."""
        lines = []
        for seat in view.catchable:
            if seat == view.you and SayUno() in view.legal:
                lines.append(self.text("table.catchable.you"))
            elif Catch(seat) in view.legal:
                lines.append(self.text("table.catchable", name=self.name(seat)))
        return lines

    def _label(self, view: View, choice: MenuItem) -> str:
        move = choice.moves[0]
        if isinstance(move, Play):
            return self.text("choice.wild" if choice.colors else "choice.play", card=self._card(view, move.card))
        if isinstance(move, CallColor):
            return self.text("choice.color", color=self.catalogue.color(move.color.value))
        if isinstance(move, Catch):
            return self.text("choice.catch", name=self.name(move.seat))
        if isinstance(move, Draw) and view.draw_count == 0 and view.discard_count == 1:
            return self.text("choice.pass")
        return self.text(f"choice.{_WORDS[type(move)]}", name=self._before(view))

    # ------------------------------------------------------------ names
    def name(self, seat: int) -> str:
        return self.catalogue.name(seat, self.names)

    def player(self, seat: int) -> str:
        """The name, or you."""
        return self.catalogue.names([seat], self.you, self.names)

    def _before(self, view: View) -> str:
        """Who played the card that is to be answered."""
        return self.name(Seat(((view.to_act or 0) - view.direction) % view.players))

    def _card(self, view: View, card: Card) -> str:
        return self.catalogue.card(str(card), view.side.value)


_WORDS: dict[type[Move], str] = {
    Draw: "draw",
    Keep: "keep",
    Accept: "accept",
    Challenge: "challenge",
    SayUno: "uno",
}
