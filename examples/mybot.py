#!/usr/bin/env python3
"""A bot to start from: one View per line in, one Move per line out.  docs/programs.md describes a View.

    flipdeck arena --bots 'cmd:./examples/mybot.py,regular' --seats 2 --rounds 100

It needs only Python.  Standard output is for moves; use print(..., file=sys.stderr) for debugging.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import Any

View = dict[str, Any]


def face(card: str, side: str) -> str:
    """The side of a card, or of a move that plays it, that is in play: R7/O1 is R7 on the light side."""
    light, dark = card.rstrip("!").partition("=")[0].split("/")
    return light if side == "light" else dark


def favorite_color(view: View, leaving_out: str = "") -> str:
    """The color that the hand holds most of, without one card."""
    faces = [face(card, view["side"]) for card in view["hand"] if card != leaving_out]
    held = Counter(face[0] for face in faces if face[0] != "W")
    return held.most_common(1)[0][0] if held else ""


def worth(move: str, view: View) -> float:
    """How much this bot likes a move; every move here is legal."""
    if move == "uno":
        return 100  # better late than caught
    if move.startswith("catch"):
        return 90
    if "/" in move:
        return worth_of_play(move, view)
    if move.startswith("color"):
        return float(move.endswith(favorite_color(view)))
    return {"challenge": -1}.get(move, 0)  # draw, keep and accept are never wrong, only slow


def worth_of_play(move: str, view: View) -> float:
    card, _, call = move.rstrip("!").partition("=")
    shown = face(card, view["side"])
    value = 10.0
    if call:
        value = 2 + (call == favorite_color(view, leaving_out=card))  # a wild can always be played later
    elif shown[0] == favorite_color(view, leaving_out=card):
        value += 2  # the next card follows it
    if shown[1:] in ("+1", "+5", "S", "E", "+2", "+C"):
        value += 10 if min(len(other["backs"]) for other in view["others"]) <= 2 else 1  # somebody has to be stopped
    return value + 0.5 * move.endswith("!")  # UNO, where it is due


def main() -> None:
    for line in sys.stdin:
        view = json.loads(line)
        # out of turn, all that can be said is good for us; "pass" would let the moment go
        print(max(view["legal"], key=lambda move: worth(move, view)), flush=True)


if __name__ == "__main__":
    main()
