"""The reasons of a hint as sentences in one language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .catalogue import Catalogue

_CARDS = ("hand", "draws")  # told with their noun: 1 card, 3 cards


def sentence(catalogue: Catalogue, reason: Mapping[str, Any], names: Sequence[str] = ()) -> str:
    """``{"kind": "stops", "seat": 1, "hand": 2}`` is: Seat 1, who has 2 cards, misses a turn."""
    facts = {name: _fact(catalogue, name, value, names) for name, value in reason.items() if name != "kind"}
    if "seat" in facts:
        facts["name"] = facts.pop("seat")
    if "face" in facts:
        facts["a_face"] = catalogue.a_face(reason["face"])
    told = catalogue.text(f"hint.{reason['kind']}", **facts)
    return told[:1].upper() + told[1:]


def _fact(catalogue: Catalogue, name: str, value: Any, names: Sequence[str]) -> object:
    if name == "seat":
        return catalogue.name(value, names)
    if name == "color":
        return catalogue.color(value)
    if name == "face":
        return catalogue.face(value)
    return catalogue.text("count.cards", n=value) if name in _CARDS else value
