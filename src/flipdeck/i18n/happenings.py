"""Events as sentences, from the point of view of a seat or of a spectator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .catalogue import Catalogue

Happening = Mapping[str, Any]


def sentence(catalogue: Catalogue, event: Happening, you: int | None, names: Sequence[str]) -> str:
    key = _key(catalogue, event, you)
    told = catalogue.text(key, **_facts(catalogue, event, you, names))
    return told[:1].upper() + told[1:]


def together(events: Iterable[Happening]) -> list[Happening]:
    """Cards that one player draws one after the other, as one event with ``cards``; kept, they are ``drew_kept``."""
    merged: list[Happening] = []
    for event in events:
        last = merged[-1] if merged else {}
        if event["event"] == "kept" and last.get("event") == "drew" and last["seat"] == event["seat"]:
            merged[-1] = {**last, "event": "drew_kept"}
        elif event["event"] != "drew":
            merged.append(event)
        elif last.get("event") == "drew" and last["seat"] == event["seat"]:
            merged[-1] = {**last, "cards": [*last["cards"], event["card"]]}
        else:
            merged.append({**event, "cards": [event["card"]]})
    return merged


def _key(catalogue: Catalogue, event: Happening, you: int | None) -> str:
    """The sentence that fits who did it, who listens and what they may know."""
    base = f"event.{event['event']}"
    if "direction" in event:
        return f"{base}.{'left' if event['direction'] > 0 else 'right'}"
    if "winners" in event:
        return _winning_key(base, event["winners"], you)
    wanted = [base]
    if _cards_known(event):
        wanted.insert(0, f"{base}.open")
    if you is not None and event.get("by") == you:
        wanted.insert(0, f"{base}.by_you")
    if you is not None and event.get("seat") == you:
        wanted.insert(0, f"{base}.you")
    return catalogue.first(*wanted)


def _winning_key(base: str, winners: Sequence[int], you: int | None) -> str:
    if len(winners) > 1:
        return f"{base}.shared"
    return f"{base}.you" if winners[0] == you else base


def _cards(event: Happening) -> list[str]:
    return list(event["cards"]) if "cards" in event else [event["card"]] if "card" in event else []


def _cards_known(event: Happening) -> bool:
    """Whoever listens knows the faces in play, not the backs alone."""
    place = 0 if event["side"] == "light" else 1
    return bool(_cards(event)) and all(card.split("/")[place] != "?" for card in _cards(event))


def _facts(catalogue: Catalogue, event: Happening, you: int | None, names: Sequence[str]) -> dict[str, object]:
    side, cards = event["side"], _cards(event)
    facts: dict[str, object] = {"side": catalogue.side(side)}
    if cards:
        facts["n"] = len(cards)
        facts["cards"] = catalogue.listed([catalogue.card(card, side) for card in cards])
        facts["a_cards"] = catalogue.listed([catalogue.card(card, side, article=True) for card in cards])
    if "card" in event:
        front = event["card"].split("/")[0 if side == "light" else 1]
        known = front != "?"
        facts["card"] = catalogue.face(front) if known else catalogue.text("face.unknown")
        facts["a_card"] = catalogue.a_face(front) if known else catalogue.text("face.unknown")
    if "color" in event:
        facts["color"] = catalogue.color(event["color"])
    for role, key in (("who", "seat"), ("by", "by")):
        if key in event:
            facts[role] = catalogue.name(event[key], names)
    if "scores" in event:
        facts["scores"] = _scores(catalogue, event, you, names)
    if "winners" in event:
        facts["winners"] = catalogue.names(event["winners"], you, names)
        facts["who"] = catalogue.name(event["winners"][0], names)
    return facts


def _scores(catalogue: Catalogue, event: Happening, you: int | None, names: Sequence[str]) -> str:
    return ", ".join(
        catalogue.text("scores.short", name=catalogue.names([seat], you, names), total=total, points=points)
        for seat, (total, points) in enumerate(zip(event["scores"], event["points"], strict=True))
    )
