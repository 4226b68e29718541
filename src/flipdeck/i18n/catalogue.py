"""One language: sentences by key, and the names of faces, cards, colors, sides and seats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from . import happenings

_WILD = "W"


class Catalogue:
    def __init__(self, language: str, edition: str, entries: Mapping[str, str]) -> None:
        self.language = language
        self.edition = edition
        self.entries = entries

    # ------------------------------------------------------------ sentences
    def text(self, key: str, **facts: object) -> str:
        """The sentence of a key; with a number ``n`` and forms for it, in the singular or plural."""
        if key not in self.entries and "n" in facts:
            key += ".one" if facts["n"] == 1 else ".other"
        return self.entries[key].format(**{name: self._fact(fact) for name, fact in facts.items()})

    def first(self, *keys: str) -> str:
        """The first of these keys that there is, in one of its forms."""
        return next(key for key in keys if key in self.entries or f"{key}.other" in self.entries)

    def event(self, event: Mapping[str, Any], you: int | None = None, names: Sequence[str] = ()) -> str:
        """An event as a sentence, told to the seat ``you`` (None: to a spectator)."""
        return happenings.sentence(self, event, you, names)

    def refusal(self, reason: str, facts: Mapping[str, object], fallback: str) -> str:
        """The sentence of a refusal; ``fallback`` is the English one, which needs no translation into English."""
        template = self.entries.get(f"refusal.{reason}")
        if template is None:
            return fallback
        return template.format(**{name: self._refused(name, fact) for name, fact in facts.items()})

    # ------------------------------------------------------------ names of things
    def color(self, letter: str) -> str:
        return self.text(f"color.{letter}")

    def side(self, side: str) -> str:
        return self.text(self.first(f"side.{self.edition}.{side}", f"side.{side}"))

    def face(self, face: str) -> str:
        """``R7`` is red 7."""
        if face.startswith(_WILD):
            return self.text(f"symbol.{face}")
        color, symbol = face[0], face[1:]
        if symbol.isdigit():
            return self.text("face.number", color=self.color(color), symbol=symbol)
        return self.text("face.action", color=self.color(color), symbol=self.text(f"symbol.{symbol}"))

    def a_face(self, face: str) -> str:
        """With its article, in a language that wants one: un 7 rojo."""
        symbol = face if face.startswith(_WILD) else face[1:]
        article = self.text(self.first(f"article.{symbol}", "article.any"))
        return f"{article} {self.face(face)}".lstrip()

    def card(self, card: str, side: str = "light", article: bool = False) -> str:
        """``R7/O1`` is red 7 (orange 1) while the light side is in play; a face that is not known is not named."""
        light, dark = card.split("/")
        front, back = (light, dark) if side == "light" else (dark, light)
        if front == "?":
            return self.text("face.unknown")
        face = self.a_face(front) if article else self.face(front)
        return face if back == "?" else self.text("face.both", face=face, other=self.face(back))

    def name(self, seat: int, names: Sequence[str] = ()) -> str:
        return names[seat] if seat < len(names) else self.text("seat.name", seat=seat)

    def names(self, seats: Iterable[int], you: int | None, names: Sequence[str]) -> str:
        """A list of players, in which you are you."""
        return self.listed([self.text("seat.you") if seat == you else self.name(seat, names) for seat in seats])

    def listed(self, things: Sequence[str]) -> str:
        """One, two and three."""
        if len(things) < 2:
            return "".join(things)
        return f"{', '.join(things[:-1])} {self.text('language.and')} {things[-1]}"

    def number(self, number: int) -> str:
        return f"{number:,}".replace(",", self.entries["language.thousands"])

    # ------------------------------------------------------------ within
    def _fact(self, fact: object) -> object:
        return self.number(fact) if type(fact) is int else fact

    def _refused(self, name: str, fact: object) -> object:
        """A fact of a refusal: mostly notation, which is the same in every language."""
        if name == "side":
            return self.side(str(fact))
        if name == "known":
            return str(fact).replace(" or ", f" {self.text('language.or')} ")
        reason, facts = getattr(fact, "reason", None), getattr(fact, "facts", None)
        if isinstance(reason, str) and isinstance(facts, Mapping):  # a refusal within a refusal: a line of a record
            return self.refusal(reason, facts, str(fact))
        return fact
