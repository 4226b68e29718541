"""Determinization: dealing the hidden cards of a seat's picture of the table.  Compilable, like the rules.

A deal plan (made by ``bots.belief``) lists the cards without a known place and the places they may be in.  Cards of one
group that show the same back form a class: any of them may be in any place that shows this back.  So dealing is a
shuffle within each class, then of the rest among the places that show nothing, then of the fronts that have no known
partner.  All determinizations that agree with what was seen are equally likely, and none is rejected.  A place with a
ban (kinds of fronts that it certainly lacks) draws among the other cards.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..core.codes import CARDS, DARK, NO_COLOR
from ..core.rules.challenge import breaks_restriction
from ..core.rules.hands import HALF, index_faces
from ..core.rules.order import seat_after, top_face
from ..core.state import CHALLENGE, Game, row
from .acting import kind_of
from .heuristic import BLUFFERS, WILD_DRAW_FACE
from .policies import next_rng

GROUPS = 16  # more shuffles than a round of this game has seen; older ones are merged
NO_FRONT = -1
PICKS = 500  # draws for a place with a ban: more than enough, if there is a card that it can have


@dataclass(slots=True)
class DealPlan:
    """Cards and places, class by class and group by group.  ``…_end`` is where the next one begins."""

    seat: int = 0
    color_before: int = 0  # in force when the Wild Draw that waits for an answer was played; NO_COLOR if not known
    classes: int = 0
    groups: int = 0
    tries: int = 1  # draws until a card is not unlikely; with one, all determinizations are equally likely
    bans: list[int] = row(CARDS, "i8")  # by place: bit set of the kinds of fronts that it certainly lacks
    unlikely: list[int] = row(CARDS, "i8")  # … and hardly has
    # the cards: those of a group together, and in it those of a class, the late ones last
    fronts: list[int] = row(CARDS)  # NO_FRONT where the partner of the back is not known
    backs: list[int] = row(CARDS)
    # by class: its cards (those that can have been dealt to a hand first), its places (those dealt first)
    cards_begin: list[int] = row(CARDS)
    cards_early: list[int] = row(CARDS)
    cards_end: list[int] = row(CARDS)
    places_begin: list[int] = row(CARDS)
    places_early: list[int] = row(CARDS)
    places_end: list[int] = row(CARDS)
    places: list[int] = row(CARDS)
    # by group: its cards, its places that show nothing, its front-only places, its fronts without a known partner
    group_end: list[int] = row(GROUPS)
    blank_end: list[int] = row(GROUPS)
    front_only_end: list[int] = row(GROUPS)
    single_end: list[int] = row(GROUPS)
    blanks: list[int] = row(CARDS)
    front_only: list[int] = row(CARDS)
    singles: list[int] = row(CARDS)
    # working space
    order: list[int] = row(CARDS)
    single_at: list[int] = row(GROUPS)  # by group: its single fronts before this one are dealt


def below(x: int, number: int) -> int:
    """A random number below ``number`` from a generator state."""
    return (x >> 30) * number >> 32


def deal_world(g: Game, d: DealPlan, x: int) -> int:
    """Sample one determinization; the generator state after it.

    With more than one try, a world in which a Wild Draw was a bluff is mostly dealt again: few people bluff.
    """
    x = deal_cards(g, d, x)
    for _ in range(1, 2 * d.tries - 1):
        x = next_rng(x)
        if not g.guilty or below(x, 100) < BLUFFERS:
            break
        x = deal_cards(g, d, x)
    return x


def deal_cards(g: Game, d: DealPlan, x: int) -> int:
    """Deal every card of the plan to a place, and find who is guilty in this world."""
    g.guilty = 0
    for card in range(CARDS):
        d.order[card] = card
    for group in range(d.groups):
        d.single_at[group] = d.single_end[group - 1] if group else 0
    for c in range(d.classes):
        x = deal_class(g, d, c, x)
    for group in range(d.groups):
        x = deal_rest(g, d, group, x)
    index_faces(g)
    if g.phase == CHALLENGE and top_face(g) == WILD_DRAW_FACE:
        g.guilty = 1 if broke_restriction(g, d.color_before, seat_after(g, -1)) else 0
    return x


def broke_restriction(g: Game, color_before: int, seat: int) -> bool:
    """ACT-9 for the color and the hand at the time of the play: cards drawn since, for a catch, don't count."""
    if color_before == NO_COLOR:  # unknown to a seat that came late
        return False
    color, low, high = g.color, g.sets[2 * seat], g.sets[2 * seat + 1]
    g.color = color_before
    for card in range(g.deck):
        half = card // HALF
        bit = 1 << (card - HALF * half)
        if g.arrived[card] > g.shown_until and g.sets[2 * seat + half] & bit:
            g.sets[2 * seat + half] ^= bit
    broke = breaks_restriction(g, seat)
    g.color, g.sets[2 * seat], g.sets[2 * seat + 1] = color, low, high
    return broke


def deal_class(g: Game, d: DealPlan, c: int, x: int) -> int:
    """Places dealt first draw from the cards that can have been there; the others from all that are left."""
    at = d.cards_begin[c]
    for i in range(d.places_begin[c], d.places_end[c]):
        end = d.cards_early[c] if i < d.places_early[c] else d.cards_end[c]
        if d.bans[d.places[i]]:
            x = deal_narrow(g, d, d.places[i], at, end, x)
            at += 1
            continue
        x = next_rng(x)
        chosen = at + below(x, end - at)
        for _ in range(1, d.tries):
            if is_likely(d, d.places[i], d.fronts[d.order[chosen]]):
                break
            x = next_rng(x)
            chosen = at + below(x, end - at)
        d.order[at], d.order[chosen] = d.order[chosen], d.order[at]
        put(g, d, d.places[i], d.order[at])
        d.order[at] = -1 - d.order[at]  # dealt
        at += 1
    return x


def deal_narrow(g: Game, d: DealPlan, place: int, at: int, end: int, x: int) -> int:
    """Rejection sampling for a place with a ban: draw until it gets a card that it can have, with its front.

    Exact if of any two such places one can have all that the other can, and the plan names the narrower first.
    """
    group = group_of(d, at)
    first, last = d.single_at[group], d.single_end[group]
    chosen, single, fitting = at, first, 0
    for _ in range(PICKS):
        x = next_rng(x)
        chosen = at + below(x, end - at)
        front = d.fronts[d.order[chosen]]
        if front == NO_FRONT and first < last:
            x = next_rng(x)
            single = first + below(x, last - first)
            front = d.singles[single]
        if front != NO_FRONT and not d.bans[place] >> kind_of(front) & 1:
            fitting += 1
            if fitting >= d.tries or is_likely(d, place, front):
                break
    d.order[at], d.order[chosen] = d.order[chosen], d.order[at]
    put(g, d, place, d.order[at])
    if d.fronts[d.order[at]] == NO_FRONT and first < last:
        d.singles[first], d.singles[single] = d.singles[single], d.singles[first]
        g.faces[g.side + place] = d.singles[first]
        d.single_at[group] += 1
    d.order[at] = -1 - d.order[at]  # dealt
    return x


def group_of(d: DealPlan, card: int) -> int:
    group = 0
    while d.group_end[group] <= card:
        group += 1
    return group


def is_likely(d: DealPlan, place: int, front: int) -> bool:
    """The front is not among those that are unlikely for the place."""
    return front == NO_FRONT or not d.unlikely[place] >> kind_of(front) & 1


def put(g: Game, d: DealPlan, place: int, card: int) -> None:
    """Lay a card; a front without a known partner is dealt later."""
    g.faces[g.side + place] = d.fronts[card]
    g.faces[DARK - g.side + place] = d.backs[card]


def deal_rest(g: Game, d: DealPlan, group: int, x: int) -> int:
    begin = d.group_end[group - 1] if group else 0
    left = begin
    for i in range(begin, d.group_end[group]):  # what is left, to the front
        if d.order[i] >= 0:
            d.order[left], d.order[i] = d.order[i], d.order[left]
            left += 1
    x = deal_front_only(g, d, group, begin, left, x)
    taken = d.front_only_end[group] - (d.front_only_end[group - 1] if group else 0)
    at = begin + taken
    for i in range(d.blank_end[group - 1] if group else 0, d.blank_end[group]):
        x = next_rng(x)
        chosen = at + below(x, left - at)
        d.order[at], d.order[chosen] = d.order[chosen], d.order[at]
        put(g, d, d.blanks[i], d.order[at])
        at += 1
    return deal_singles(g, d, group, x)


def deal_front_only(g: Game, d: DealPlan, group: int, begin: int, left: int, x: int) -> int:
    """Front-only places whose front has no known partner get a back that has none."""
    at = begin
    for i in range(d.front_only_end[group - 1] if group else 0, d.front_only_end[group]):
        single = at
        for j in range(at, left):  # backs without a partner, to the front
            if d.fronts[d.order[j]] == NO_FRONT:
                d.order[single], d.order[j] = d.order[j], d.order[single]
                single += 1
        x = next_rng(x)
        chosen = at + below(x, single - at)
        d.order[at], d.order[chosen] = d.order[chosen], d.order[at]
        g.faces[DARK - g.side + d.front_only[i]] = d.backs[d.order[at]]
        at += 1
    return x


def deal_singles(g: Game, d: DealPlan, group: int, x: int) -> int:
    """Deal the fronts without a known partner to the places of the group that lack one."""
    at = d.single_at[group]
    end = d.single_end[group]
    if at == end:
        return x
    for c in range(d.classes):
        if d.cards_begin[c] < d.group_end[group] and (group == 0 or d.cards_begin[c] >= d.group_end[group - 1]):
            for i in range(d.places_begin[c], d.places_end[c]):
                at, x = deal_single(g, d, d.places[i], at, end, x)
    for i in range(d.blank_end[group - 1] if group else 0, d.blank_end[group]):
        at, x = deal_single(g, d, d.blanks[i], at, end, x)
    return x


def deal_single(g: Game, d: DealPlan, place: int, at: int, end: int, x: int) -> tuple[int, int]:
    if g.faces[g.side + place] != NO_FRONT:
        return at, x
    x = next_rng(x)
    chosen = at + below(x, end - at)
    for _ in range(1, d.tries):
        if is_likely(d, place, d.singles[chosen]):
            break
        x = next_rng(x)
        chosen = at + below(x, end - at)
    d.singles[at], d.singles[chosen] = d.singles[chosen], d.singles[at]
    g.faces[g.side + place] = d.singles[at]
    return at + 1, x


def take_future(g: Game, x: int) -> int:
    """Give a world its own future shuffles."""
    for i in range(8):
        x = next_rng(x)
        g.key[i] = x >> 30
    return x
