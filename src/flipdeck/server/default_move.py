"""The default move of a seat whose clock ran out or whose bot failed: plain, and always legal."""

from __future__ import annotations

from ..core.notation import Accept, CallColor, Draw, Keep, Move, Play
from ..core.view import Phase, View

_WORDS: dict[Phase, Move] = {Phase.TURN: Draw(), Phase.DRAWN: Keep(), Phase.CHALLENGE: Accept()}


def default_move(view: View) -> Move:
    """The default move of the seat on turn; a ValueError for any other view."""
    if view.you is None or view.to_act != view.you:
        raise ValueError("only the seat on turn has a default move")
    if view.phase is Phase.COLOR:
        return _color(view)
    word = _WORDS[view.phase]
    return word if word in view.legal else _play(view)


def _color(view: View) -> Move:
    """The color it holds most of; the first of several."""
    held = [face.color for card in view.hand if (face := card.face(view.side)) is not None]
    calls = [move for move in view.legal if isinstance(move, CallColor)]
    return max(calls, key=lambda call: held.count(call.color))


def _play(view: View) -> Move:
    """A card must be played: nothing is left to draw (PILE-2), or ``forced_play`` is on.  The first that is no wild, if
    there is one, and with UNO where that is due.
    """
    plays = [move for move in view.legal if isinstance(move, Play)]
    first = next((play for play in plays if not _is_wild(play, view)), plays[0])
    return next((play for play in plays if play.uno and (play.card, play.color) == (first.card, first.color)), first)


def _is_wild(play: Play, view: View) -> bool:
    face = play.card.face(view.side)
    return face is not None and face.is_wild
