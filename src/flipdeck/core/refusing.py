"""Why a move is not legal: the reason that helps most.  Looked for only when the move is not in ``legal``."""

from __future__ import annotations

from .cards import Card, Seat, Side, face_of
from .errors import GameOver, IllegalMove, NotYourTurn, Refusal
from .notation import Accept, CallColor, Catch, Challenge, Draw, Keep, Move, Play, SayUno
from .options import Options
from .reading import card_named, color_in_force, hand_in_order, shown_card, side_in_play
from .rules.moves import colors_to_call
from .rules.order import top_face
from .state import CHALLENGE, DRAWN, FLIPPER_CALLS, OVER, STARTER_CALLS, TURN, Game


def reason(g: Game, seat: Seat, move: Move, options: Options) -> Refusal:
    """The refusal of a move that is not legal for a seat."""
    if g.winners:
        return GameOver("match-over")
    if g.phase == OVER:
        return GameOver("round-over")
    if isinstance(move, Catch):
        return _no_catch(g, seat, move)
    if isinstance(move, SayUno):
        return IllegalMove("no-uno")
    if seat != g.turn:
        return NotYourTurn("not-your-turn", to_act=g.turn, seat=seat)
    if isinstance(move, Play):
        return _no_play(g, seat, move, options)
    if isinstance(move, CallColor) and g.phase in (FLIPPER_CALLS, STARTER_CALLS):
        if move.color.side is side_in_play(g):
            return IllegalMove("color-not-in-deck", color=move.color.value)
        return IllegalMove("wrong-side-color", color=move.color.value, side=side_in_play(g).value)
    return IllegalMove(_no_word(g, move))


def _no_catch(g: Game, seat: Seat, move: Catch) -> Refusal:
    if move.seat == seat or move.seat >= g.players:
        return IllegalMove("no-such-seat-to-catch", other=move.seat)
    return IllegalMove("cannot-be-caught", other=move.seat)


def _no_word(g: Game, move: Move) -> str:
    """The reason why ``draw``, ``keep``, ``accept``, ``challenge`` or a color can't be said on turn."""
    if isinstance(move, Keep):
        return "must-play-drawn" if g.phase == DRAWN else "nothing-drawn"
    if isinstance(move, Accept) or (isinstance(move, Challenge) and g.phase != CHALLENGE):
        return "nothing-to-answer"
    if isinstance(move, Challenge):
        return "no-challenge"
    if isinstance(move, CallColor):
        return "nothing-to-call"
    assert isinstance(move, Draw)
    return "nothing-to-draw" if g.phase == TURN else _busy(g)


def _busy(g: Game) -> str:
    """What the player on turn has to do first."""
    return {DRAWN: "already-drawn", CHALLENGE: "answer-first"}.get(g.phase, "call-first")


def _no_play(g: Game, seat: Seat, move: Play, options: Options) -> Refusal:
    side = side_in_play(g)
    held = [card_named(g, card) for card in hand_in_order(g, seat)]
    shown = [shown_card(card, side, options.own_backs) for card in held]
    if move.card not in shown:
        return _not_held(move.card, held, side, options)
    if g.phase in (FLIPPER_CALLS, STARTER_CALLS):
        return IllegalMove("call-first")
    face = move.card.face(side)
    assert face is not None
    if face.is_wild and (move.color is None or move.color.side is not side):
        return IllegalMove("color-needed", card=move.card, side=side.value, color=side.colors[0].value)
    if not face.is_wild and move.color is not None:
        return IllegalMove("color-not-called", card=move.card)
    if move.color is not None and side.colors.index(move.color) >= colors_to_call(g):
        return IllegalMove("color-not-in-deck", color=move.color.value)
    if move.uno and len(held) != 2:
        return IllegalMove("uno-too-early", left=len(held) - 1)
    return _not_playable(g, move.card, side, options)


def _not_held(card: Card, held: list[Card], side: Side, options: Options) -> Refusal:
    """Nothing here may depend on a back that its owner may not look at."""
    named = card if options.own_backs == "shown" else card.only(side)
    for mine in held:
        if named == mine.only(side):
            seen = shown_card(mine, side, options.own_backs)
            return IllegalMove("name-what-you-see", own_backs=options.own_backs, card=seen)
    return IllegalMove("not-held", card=card)


def _not_playable(g: Game, card: Card, side: Side, options: Options) -> Refusal:
    face = card.face(side)
    assert face is not None
    if g.phase == DRAWN and card != shown_card(card_named(g, g.drawn), side, options.own_backs):
        return IllegalMove("only-the-drawn-card")
    stacked = g.phase == CHALLENGE and options.stacking and face == face_of(side, top_face(g))
    if face.is_wild and (g.phase in (TURN, DRAWN) or stacked):
        return IllegalMove("bluffing-off", card=card)
    if g.phase == CHALLENGE:
        return IllegalMove("answer-first")
    color = color_in_force(g)
    assert color is not None
    reason = "drawn-does-not-fit" if g.phase == DRAWN else "does-not-match"
    return IllegalMove(reason, card=card, top=face_of(side, top_face(g)), color=color.value)
