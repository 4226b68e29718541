"""Reasons for and against a move, as data: a kind and its facts, from what the seat can see and no more.

``i18n.reasons`` has the sentences.  Facts are plain: seats and counts as numbers, colors and faces in the notation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..bulk.heuristic import HURRY
from ..core.codes import COLOR_AT, DRAW, FIRST_WILD, FLIP, LIGHT, NO_COLOR, RANK_BITS, REVERSE, SKIP, WILD, WILD_DRAW
from ..core.notation import Accept, CallColor, Catch, Challenge, Draw, Keep, Move, Play, SayUno
from ..core.reading import moves_of
from ..core.rules.challenge import INNOCENCE_COSTS
from ..core.rules.moves import COLOR_BITS, COLOR_SHIFT, WHAT_BITS
from ..core.rules.order import top_face
from ..core.state import FLIPPER_CALLS
from ..core.view import Phase, View
from .belief.memory import Memory, code_of_face
from .sight import Sight, fits

HARDLY = 0.4  # a next player who can follow at most so often is a reason for a play
LIKELY = 0.6  # … and one about to go out who can follow at least so often, a reason against it

KINDS = (
    # plays: what they do, to whom, and what they leave
    *("goes_out", "say_uno", "bluff", "bluff_wild", "passes_on", "must_answer", "draws", "draws_until", "stops"),
    *("again", "turns_away", "wastes_wild", "cant_follow", "hardly_follows", "seldom_follows", "opens", "leaves"),
    *("leaves_none", "jumps_in"),
    *("flips", "flips_theirs", "flips_unseen", "flips_unseen_theirs", "flips_wild", "flips_wild_next"),
    # all else that can be said
    *("draw_nothing", "draw_saves_wild", "draw_instead", "draw_none_left", "keep", "keep_wild", "keep_unfit", "calls"),
    *("accept", "accept_until", "challenge", "challenge_sure", "challenge_vain", "challenge_unseen"),
    *("uno_late", "catch", "catch_vain", "lets_go"),
)


@dataclass(frozen=True, slots=True)
class Reason:
    kind: str
    facts: Mapping[str, int | str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, int | str]:
        """The JSON form, which ``i18n.reasons`` reads too."""
        return {"kind": self.kind, **self.facts}


def reason(kind: str, **facts: int | str) -> Reason:
    return Reason(kind, facts)


def percent(chance: float) -> int:
    """Rounded, but 0 and 100 only where it is impossible or certain."""
    return round(chance * 100) if chance in (0, 1) else min(99, max(1, round(chance * 100)))


class Reasons:
    """The reasons for the moves of one position: a memory, and the view that it has seen last."""

    def __init__(self, view: View, memory: Memory) -> None:
        self._view = view
        self._options = memory.options
        self._sight = Sight(memory)
        self._game = memory.game
        self._numbers = moves_of(memory.game, memory.seat, memory.options.own_backs)

    def why(self, move: Move | None) -> Reason:
        """The most important reason for or against a move; None is letting the moment go."""
        if isinstance(move, Play):
            return self._play(move)
        if isinstance(move, Draw):
            return self._draw()
        if isinstance(move, CallColor):
            return self._call(self._numbers[move] >> COLOR_SHIFT & COLOR_BITS)
        if isinstance(move, Catch):
            return self._catch(move)
        if isinstance(move, SayUno):
            return reason("uno_late", draws=self._options.uno_penalty)
        if isinstance(move, Keep):
            return self._keep()
        if isinstance(move, Challenge):
            return self._challenge()
        return self._accept() if isinstance(move, Accept) else reason("lets_go")

    # ------------------------------------------------------------ plays
    def _play(self, move: Play) -> Reason:
        number = self._numbers[move]
        card = number & WHAT_BITS
        face = self._sight.front(card)
        if len(self._sight.hand) == 1:
            return reason("goes_out")
        if not move.uno and Play(move.card, move.color, True) in self._numbers:
            return reason("say_uno", draws=self._options.uno_penalty)
        if self._view.phase is Phase.CHALLENGE:
            return reason("passes_on", seat=self._sight.after(1), n=self._view.owed + 1)
        if face & RANK_BITS == FLIP:
            return self._flip(card)
        color = number >> COLOR_SHIFT & COLOR_BITS if face >= FIRST_WILD else face >> COLOR_AT
        return (
            self._bluff(card, face & RANK_BITS)
            or self._wasted(face & RANK_BITS)
            or self._action(face & RANK_BITS, color)
            or self._following(self._sight.follower(face & RANK_BITS), color, face & RANK_BITS)
            or self._leaving(color, face & RANK_BITS, card)
        )

    def _bluff(self, card: int, rank: int) -> Reason | None:
        """ACT-9: a Wild Draw is for a hand without the color in force."""
        if rank != WILD_DRAW:
            return None
        rest = [self._sight.front(other) for other in self._sight.hand if other != card]
        held = sum(face >> COLOR_AT == self._game.color for face in rest)
        if held:
            color = self._sight.color(self._game.color)
            return reason("bluff", n=held, color=color, percent=percent(self._sight.suspicion(card)))
        if self._options.wilds_match_in_challenge and any(face >= FIRST_WILD for face in rest):
            return reason("bluff_wild")
        return None

    def _wasted(self, rank: int) -> Reason | None:
        """A plain wild, where another card would do."""
        if rank != WILD or self._view.phase is not Phase.TURN:
            return None
        others = self._fitting(wilds=False)
        return reason("wastes_wild", n=len(others)) if others else None

    def _action(self, rank: int, color: int) -> Reason | None:
        """Who misses a turn or has to draw; from whom play turns away."""
        sight = self._sight
        victim = sight.victim(rank)
        if victim is None:
            return self._turn(rank)
        facts = {"seat": victim, "hand": self._game.counts[victim]}
        if rank not in (DRAW, WILD_DRAW):
            return reason("stops", **facts)
        if self._options.stacking:
            return reason("must_answer", **facts)
        if rank == DRAW:
            return reason("draws", **facts, draws=1 if self._game.side == LIGHT else 5)
        if self._game.side == LIGHT:
            return reason("draws", **facts, draws=2)
        return reason("draws_until", **facts, color=sight.color(color))

    def _turn(self, rank: int) -> Reason | None:
        if rank == SKIP:
            return reason("again")
        if rank == REVERSE and self._game.players > 2:
            spared, next_one = self._sight.after(1), self._sight.after(-1)
            if self._game.counts[spared] < self._game.counts[next_one]:
                return reason("turns_away", seat=spared, hand=self._game.counts[spared])
        return None

    def _following(self, seat: int | None, color: int, rank: int) -> Reason | None:
        """Whether the next player can't follow, hardly can, or likely will."""
        if seat is None:
            return None
        chance, out = self._sight.can_follow(seat, color, rank)
        hand = self._game.counts[seat]
        facts: dict[str, int | str] = {"seat": seat, "color": self._sight.color(color)}
        if out == hand:
            return reason("cant_follow", **facts, out=out, of=hand)
        if chance <= HARDLY and out:
            return reason("hardly_follows", **facts, out=out, of=hand, percent=percent(chance))
        if chance <= HARDLY:
            return reason("seldom_follows", **facts, percent=percent(chance))
        if hand <= HURRY and chance >= LIKELY:
            return reason("opens", **facts, hand=hand, percent=percent(chance))
        return None

    def _leaving(self, color: int, rank: int, card: int) -> Reason:
        if self._view.to_act != self._view.you:
            return reason("jumps_in")
        left = self._sight.left(color, rank, card)
        return reason("leaves", count=left, of=len(self._sight.hand) - 1) if left else reason("leaves_none")

    def _flip(self, card: int) -> Reason:
        """The face on top after a flip, and who could follow it: the other sides of the other hands are visible."""
        sight = self._sight
        seat, shown = sight.after(1), self._options.own_backs == "shown"
        top = sight.face_turned_up()
        if top is None:
            theirs = sight.strong_when_turned(seat)
            if not shown:
                return reason("flips_unseen_theirs", seat=seat, theirs=theirs)
            return reason("flips_unseen", seat=seat, theirs=theirs, mine=sight.strong_when_turned(sight.seat, card))
        if top.is_wild:
            to_dark = self._game.side == LIGHT
            caller = self._options.wild_after_flip_to_dark if to_dark else self._options.wild_after_flip_to_light
            return reason("flips_wild") if caller == "flipper" else reason("flips_wild_next", seat=seat)
        code = code_of_face(top)
        facts: dict[str, int | str] = {"face": str(top), "seat": seat, "cards": self._game.counts[seat]}
        theirs = sight.left_when_turned(seat, code)
        if not shown:
            return reason("flips_theirs", **facts, theirs=theirs)
        mine = sight.left_when_turned(sight.seat, code, card)
        return reason("flips", **facts, theirs=theirs, mine=mine, of=len(sight.hand) - 1)

    # ------------------------------------------------------------ all else
    def _fitting(self, wilds: bool) -> list[int]:
        """The own cards that match what lies there: wilds, or all but wilds."""
        color, rank = self._game.color, top_face(self._game) & RANK_BITS
        faces = [self._sight.front(card) for card in self._sight.hand]
        return [face for face in faces if fits(face, color, rank) and (face >= FIRST_WILD) is wilds]

    def _draw(self) -> Reason:
        if self._view.draw_count == 0 and self._view.discard_count == 1:
            return reason("draw_none_left")
        plain = self._fitting(wilds=False)
        if plain:
            return reason("draw_instead", n=len(plain))
        return reason("draw_saves_wild" if self._fitting(wilds=True) else "draw_nothing")

    def _keep(self) -> Reason:
        if not any(isinstance(move, Play) for move in self._view.legal):
            return reason("keep_unfit")
        return reason("keep_wild" if self._sight.front(self._game.drawn) >= FIRST_WILD else "keep")

    def _call(self, color: int) -> Reason:
        """A flipper calls a color for the next player to follow; any other caller follows it."""
        if self._game.phase == FLIPPER_CALLS:
            following = self._following(self._sight.after(1), color, top_face(self._game) & RANK_BITS)
            if following:
                return following
        left = self._sight.left(color, top_face(self._game) & RANK_BITS)
        return reason("calls", color=self._sight.color(color), count=left, of=len(self._sight.hand))

    def _catch(self, move: Catch) -> Reason:
        if move.seat in self._view.catchable:
            return reason("catch", seat=move.seat, draws=self._options.uno_penalty)
        return reason("catch_vain", seat=move.seat, draws=self._options.false_catch_penalty)

    def _challenge(self) -> Reason:
        seat = self._sight.after(-1)
        if self._sight.memory.color_before == NO_COLOR:
            return reason("challenge_unseen", seat=seat)
        color = self._sight.color(self._sight.memory.color_before)
        guilt = self._sight.guilt(seat)
        if guilt == 1:
            return reason("challenge_sure", seat=seat, color=color)
        if guilt == 0:
            return reason("challenge_vain", seat=seat, color=color, draws=INNOCENCE_COSTS)
        return reason("challenge", seat=seat, color=color, percent=percent(guilt), draws=INNOCENCE_COSTS)

    def _accept(self) -> Reason:
        wild, light = top_face(self._game) >= FIRST_WILD, self._game.side == LIGHT
        if wild and not light:
            return reason("accept_until", color=self._sight.color(self._game.color), n=self._view.owed)
        each = 2 if wild else 1 if light else 5
        return reason("accept", draws=each * self._view.owed)
