"""The steady heuristic: what a play is worth, from what a seat can see and no more.  Compilable, like the rules.

It reads its own hand, both sides of it, the backs of the other hands, the top cards and the numbers.  So it works on a
game and on a seat's picture of one alike: bots run it interpreted, rollouts run it compiled.
"""

from __future__ import annotations

from ..core.codes import (
    CARDS,
    COLOR_AT,
    DARK,
    DRAW,
    FIRST_WILD,
    FLIP,
    LIGHT,
    NO_COLOR,
    RANK_BITS,
    REVERSE,
    SKIP,
    WILD_DRAW,
)
from ..core.rules.hands import DARK_COLORS, DARK_RANKS, HALF, holds_color
from ..core.rules.moves import (
    CATCH,
    COLOR_BITS,
    COLOR_SHIFT,
    DISPUTE,
    SAY_UNO,
    UNO_SHIFT,
    WHAT_BITS,
    colors_to_call,
)
from ..core.rules.order import seat_after
from ..core.state import CHALLENGE, FLIPPER_CALLS, Game

# what a card is good for beyond its number, by rank: to keep for later, or to fear in another hand
POWER_LIGHT = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 3, 2, 6, 7)
POWER_DARK = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 1, 5, 2, 6, 9)

FOLLOW = 6  # a card of the rest that could be played on this one
SAVED = 14  # a wild that stays in the hand
WILD_DRAW_FACE = FIRST_WILD | WILD_DRAW
HURRY = 2  # a player with so few cards is about to go out
STOPPED = 22  # the next player, about to go out, misses the turn
AGAIN = 7  # another turn at once
BLUFF = 60  # a Wild Draw where another card would do: a challenge may punish it, and it is better kept
BLUFFERS = 12  # of 100 who hold the color play a Wild Draw all the same
STUCK = 9  # the next player can't follow what a flip turns up


def followers(g: Game, seat: int, side: int, color: int, rank: int, without: int) -> int:
    """How many cards of a hand, except one, could be played on a color and a rank of a side."""
    colors, ranks = (DARK_COLORS, DARK_RANKS) if side else (0, 0)
    found = 0
    for half in range(2):
        cards = g.sets[2 * seat + half] & (
            g.with_color[colors + 2 * color + half]
            | g.with_color[colors + 2 * NO_COLOR + half]
            | g.with_rank[ranks + 2 * rank + half]
        )
        if without // HALF == half:
            cards &= ~(1 << (without - HALF * half))
        found += cards.bit_count()
    return found


def power(g: Game, seat: int, side: int, without: int) -> int:
    """The total power of the action cards and wilds of a hand on a side."""
    total = 0
    for rank in range(DRAW, WILD_DRAW + 1):
        for half in range(2):
            cards = g.sets[2 * seat + half] & g.with_rank[(DARK_RANKS if side else 0) + 2 * rank + half]
            if cards and without // HALF == half:
                cards &= ~(1 << (without - HALF * half))
            if cards:
                total += cards.bit_count() * (POWER_LIGHT[rank] if side == LIGHT else POWER_DARK[rank])
    return total


def worth_of_play(g: Game, seat: int, move: int) -> int:
    """The heuristic value of a play.  It has no unit: only the order counts."""
    card = move & WHAT_BITS
    face = g.faces[g.side + card]
    rank = face & RANK_BITS
    if g.counts[seat] == 1:
        return 1000
    if rank == FLIP:
        return worth_of_flip(g, seat, card)
    color = move >> COLOR_SHIFT & COLOR_BITS if face >= FIRST_WILD else face >> COLOR_AT
    worth = FOLLOW * followers(g, seat, g.side, color, rank, card)
    worth -= POWER_LIGHT[rank] if g.side == LIGHT else POWER_DARK[rank]
    if face >= FIRST_WILD:
        worth -= SAVED
    if rank == WILD_DRAW and followers(g, seat, g.side, g.color, WILD_DRAW, card) > 0:
        worth -= BLUFF
    if rank >= DRAW:
        worth += worth_of_action(g, rank)
    return worth


def is_bluff(g: Game, seat: int, card: int) -> bool:
    """A Wild Draw from a hand that has the color in force (ACT-9)."""
    return g.faces[g.side + card] == WILD_DRAW_FACE and holds_color(g, seat, g.color)


def plain_worth(g: Game, seat: int, move: int) -> int:
    """A simpler value, from the own hand alone: the color there is most of, expensive cards first."""
    card = move & WHAT_BITS
    face = g.faces[g.side + card]
    color = move >> COLOR_SHIFT & COLOR_BITS if face >= FIRST_WILD else face >> COLOR_AT
    worth = 4 * followers(g, seat, g.side, color, 0, card) + (face & RANK_BITS) // 2
    if is_bluff(g, seat, card):
        worth -= BLUFF
    return worth - 30 if face >= FIRST_WILD else worth


def worth_of_action(g: Game, rank: int) -> int:
    """The value of who misses a turn, and of who gets the next one."""
    victim = seat_after(g, 1)
    again = g.players == 2 and rank in (DRAW, SKIP, WILD_DRAW)
    if rank == REVERSE:
        again = g.players == 2 and g.two_player_reverse == 0
        if not again and g.counts[seat_after(g, -1)] > g.counts[victim]:
            return STOPPED // 2 if g.counts[victim] <= HURRY else 1
    stops = again or rank in (DRAW, SKIP, WILD_DRAW)
    worth = AGAIN if again or (rank == SKIP and g.side == DARK) else 0
    if stops:
        worth += STOPPED if g.counts[victim] <= HURRY else 8 - min(g.counts[victim], 8)
    if rank == DRAW:
        worth += 12 if g.side == DARK else 3
    elif rank == WILD_DRAW:
        worth += 14 if g.side == DARK else 5
    return worth


def worth_of_flip(g: Game, seat: int, card: int) -> int:
    """The value of a flip: the other sides of all hands are seen, and the face that will be on top."""
    other = DARK - g.side
    face = g.faces[other + g.pile[0]]
    color, rank = face >> COLOR_AT, face & RANK_BITS
    follower = seat_after(g, 1)
    worth = power(g, seat, other, card) - power(g, seat, g.side, card)
    if face < 0:  # never seen: this seat came late
        return worth
    if color == NO_COLOR:  # the flipper calls the color, in most editions
        return worth + 2 * FOLLOW
    worth += FOLLOW * followers(g, seat, other, color, rank, card)
    theirs = followers(g, follower, other, color, rank, CARDS)
    if theirs == 0:
        worth += STUCK if g.counts[follower] > HURRY else STOPPED
    elif g.counts[follower] <= HURRY:
        worth -= STOPPED // 2
    return worth - power(g, follower, other, CARDS) // 2


# ---------------------------------------------------------------- a whole decision
def best_play(g: Game, seat: int, out: list[int], plays: int, word: int) -> int:
    """The index of the best play, with UNO where it is due; ties are broken by the dice."""
    best, most = 0, -1_000_000
    start = word * plays >> 32
    for step in range(plays):
        i = start + step if start + step < plays else start + step - plays
        worth = worth_of_play(g, seat, out[i])
        if worth > most:
            best, most = i, worth
    if g.counts[seat] == 2 and not out[best] >> UNO_SHIFT:
        best += 1  # the same play with UNO is the next one
    return best


def best_color(g: Game, seat: int, word: int) -> int:
    """The color that most of the hand could follow."""
    best, most, colors = 0, -1, colors_to_call(g)
    start = word * colors >> 32
    for step in range(colors):
        color = start + step if start + step < colors else start + step - colors
        held = followers(g, seat, g.side, color, 0, CARDS)
        if held > most:
            best, most = color, held
    return best


def likely_guilty(g: Game) -> bool:
    """The last Wild Draw was more likely a bluff than not.

    A hand of n cards lacks the color in force with probability (3/4)^n.
    """
    cards = g.counts[seat_after(g, -1)]
    without = 1000
    for _ in range(min(cards, 20)):
        without = without * 3 // 4
    return (1000 - without) * BLUFFERS > without * 100


def plays_among(out: list[int], n: int) -> int:
    """How many of the moves are plays of a card: they come first."""
    plays = 0
    while plays < n and out[plays] & WHAT_BITS < CARDS:
        plays += 1
    return plays


def call_among(g: Game, out: list[int], plays: int, n: int) -> int:
    """The index of a late UNO or a rightful catch; ``n`` if there is none."""
    if g.silent:
        for i in range(plays, n):
            what = out[i] & WHAT_BITS
            if what == SAY_UNO or (what >= CATCH and g.silent >> (what - CATCH) & 1):
                return i
    return n


def pick_steadily(g: Game, seat: int, out: list[int], n: int, word: int) -> int:
    """The steady policy: catch and call when able, play the best card, bluff rarely, challenge likely bluffs."""
    plays = plays_among(out, n)
    call = call_among(g, out, plays, n)
    if call < n:
        return call
    if plays > 0:
        best = best_play(g, seat, out, plays, word)
        fair = worth_of_play(g, seat, out[best]) >= -BLUFF // 2
        # PILE-2, forced_play: the only other moves may be catches in vain
        must = plays == n or out[plays] & WHAT_BITS >= SAY_UNO
        return best if fair or must or word & 7 == 0 else plays
    if seat != g.turn:
        return n
    if g.phase >= FLIPPER_CALLS:
        return best_color(g, seat, word)
    if g.phase == CHALLENGE and n > 1 and out[1] & WHAT_BITS == DISPUTE and likely_guilty(g):
        return 1
    return 0
