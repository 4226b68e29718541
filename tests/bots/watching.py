"""Seats that watch a match, and what holds for the memory of each at every step.

``Watcher`` keeps, beside the memory of a seat, the slots of the true game that were ever shown to the seat: the picture
must know these and no others.  A slot is one face of one card, ``(side, card)``, as in ``tests.resampling``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from random import Random

from flipdeck.bots.belief.memory import UNKNOWN, Memory
from flipdeck.bots.belief.pools import Pool
from flipdeck.core.cards import Seat, Side
from flipdeck.core.codes import COLOR_AT, DARK, LIGHT, RANK_BITS
from flipdeck.core.events import Event, What
from flipdeck.core.match import Match
from flipdeck.core.reading import hand_in_order
from flipdeck.core.rules.hands import DARK_COLORS, DARK_RANKS, HALF
from flipdeck.core.rules.log import THING_AT
from flipdeck.core.state import DRAWN, OVER, Game
from tests.random_matches import random_table, say_something
from tests.resampling import KINDS, Slot, shown_by_events, visible_now
from tests.tables import table

NUMBERS = (
    *("players", "deck", "side", "turn", "direction", "phase", "color", "owed", "silent", "heard", "winners", "dealer"),
    *("round", "stock_size", "pile_size", "counts", "scores"),
)
ONLY_FROM_THE_START = ("passes", "reshuffles", "moves")  # who comes late can't tell
Looks = Counter[tuple[int, int]]  # the light and the dark face of cards


# ---------------------------------------------------------------- the true game beside the picture
def places(g: Game) -> list[list[int]]:
    """The cards by place: every hand in order, the draw pile, the discard pile."""
    hands = [hand_in_order(g, seat) for seat in range(g.players)]
    return [*hands, g.stock[: g.stock_size], g.pile[: g.pile_size]]


def look(g: Game, card: int) -> tuple[int, int]:
    return g.faces[LIGHT + card], g.faces[DARK + card]


def slots(cards: set[int]) -> set[Slot]:
    return {(side, card) for side in (LIGHT, DARK) for card in cards}


def in_view(g: Game, viewer: int, own_backs: str) -> set[Slot]:
    """What a view shows: of the discard pile, the face on top."""
    top = g.pile[g.pile_size - 1]
    return visible_now(g, viewer, own_backs) - slots(set(g.pile[: g.pile_size])) | {(g.side, top)}


class Watcher:
    """One seat of a match: its memory, and what it was ever shown and can still place."""

    def __init__(self, match: Match, seat: int) -> None:
        self.match, self.seat, self.late = match, Seat(seat), True
        self.memory = Memory(match.options, match.players, self.seat)
        self.known: set[Slot] = set()
        self.learnt: set[int] = set()  # cards whose two faces were seen in one place, in any round
        self.muddled: set[int] = set()  # cards of hands out of which one of several with the same back was played
        self.returned: set[int] = set()
        self._before = match._game.copy()

    def see_deal(self) -> None:
        self.known, self.muddled, self.returned, self.late = set(), set(), set(), False
        self._see(self.match.history[-1].dealt, Side(self.match.options.start_side))

    def see_move(self, side: Side) -> None:
        """``side`` was in play when it began."""
        self._see(self.match.history[-1].said[-1].events, side)

    def come_late(self) -> None:
        self.memory.see((), self.match.view(self.seat))
        self._look()

    def _see(self, events: tuple[Event, ...], side: Side) -> None:
        self.memory.see(self.match.seen(events, self.seat), self.match.view(self.seat))
        self._note_events(side)
        self._look()

    def _look(self) -> None:
        g = self.match._game
        self.known |= in_view(g, self.seat, self.match.options.own_backs)
        if g.phase == OVER:
            self.muddled.clear()  # all hands are laid open
        both = {card for side, card in self.known if side == LIGHT and (DARK, card) in self.known}
        self.learnt |= both - self.muddled
        self._before = g.copy()

    def _note_events(self, side: Side) -> None:
        """One event after the other: what is shuffled can't be placed any more."""
        g, before = self.match._game, self._before
        one, played = g.copy(), set[int]()
        one.log_size = 1
        for number in g.log[: g.log_size]:
            what, card = KINDS[number & 255], number >> THING_AT
            if what is What.RETURNED:
                self.known -= slots({card})
                self.returned.add(card)
            elif what is What.RESHUFFLED:
                shuffled = {*before.pile[: before.pile_size], *played} - {g.pile[0]}
                self.known -= slots(shuffled)
                self.muddled -= shuffled
            elif what is not What.DEALER_CARD:  # all cards are shuffled after that
                one.log[0] = number
                self.known |= shown_by_events(one, side, self.seat, self.match.options.own_backs)
            if what is What.PLAYED:
                played.add(card)
                self._note_look_alikes(card)
            if what is What.FLIPPED:
                side = side.other

    def _note_look_alikes(self, card: int) -> None:
        before = self._before
        hand = next(hand for hand in places(before) if card in hand)
        backs = Counter(before.faces[DARK - before.side + other] for other in hand)
        if backs[before.faces[DARK - before.side + card]] > 1 and hand != hand_in_order(before, self.seat):
            self.muddled |= set(hand)


# ---------------------------------------------------------------- what always holds
def check(watcher: Watcher) -> None:
    g, picture = watcher.match._game, watcher.memory.game
    if g.phase == OVER:
        return
    for name in NUMBERS if watcher.late else (*NUMBERS, *ONLY_FROM_THE_START):
        assert getattr(picture, name) == getattr(g, name), name
    there = [
        (true, mine)
        for really, pictured in zip(places(g), places(picture), strict=True)
        for true, mine in zip(really, pictured, strict=True)
    ]
    assert sorted(mine for _, mine in there) == list(range(g.deck)), "every number lies in one place"
    assert g.phase != DRAWN or (g.drawn, picture.drawn) in there
    check_faces(watcher, there)
    check_pools(watcher, there)
    check_index(picture)


def check_faces(watcher: Watcher, there: list[tuple[int, int]]) -> None:
    g, picture = watcher.match._game, watcher.memory.game
    for true, mine in there:
        for side in (LIGHT, DARK):
            face = picture.faces[side + mine]
            assert face in (UNKNOWN, g.faces[side + true]), "the picture shows a face that is not there"
            if true not in watcher.muddled:
                assert (face != UNKNOWN) == ((side, true) in watcher.known), "seen and forgotten, or known and not seen"


def check_pools(watcher: Watcher, there: list[tuple[int, int]]) -> None:
    """What has no known place is just what the pools hold, group by group; and no pair is unlearnt."""
    g, memory = watcher.match._game, watcher.memory
    unplaced: dict[int, Looks] = defaultdict(Counter)
    placed: Looks = Counter()
    for true, mine in there:
        if UNKNOWN in look(memory.game, mine):
            unplaced[memory.group[mine]][look(g, true)] += 1
        else:
            placed[look(g, true)] += 1
    assert set(unplaced) <= set(range(len(memory.pools)))
    for number, pool in enumerate(memory.pools):
        check_pool(pool, unplaced[number], Counter(look(g, card) for card in watcher.returned))
        placed += pool.pairs
    learnt = Counter(look(g, card) for card in watcher.learnt)
    assert set(learnt) <= set(placed), "a pair that was seen is forgotten"
    assert placed <= Counter(look(g, card) for card in range(g.deck))


def check_pool(pool: Pool, really: Looks, returned: Looks) -> None:
    assert pool.size == really.total()
    assert pool.pairs <= really, "a known pair is somewhere else"
    lights, darks = Counter[int](), Counter[int]()
    for (light, dark), number in (really - pool.pairs).items():
        lights[light] += number
        darks[dark] += number
    assert (lights, darks) == (+pool.lights, +pool.darks)
    assert all(number >= 0 for each in (pool.pairs, pool.lights, pool.darks, pool.late) for number in each.values())
    assert pool.late <= pool.pairs
    assert pool.late <= returned, "on time, and taken for late"


def check_index(picture: Game) -> None:
    """The bit sets of colors and ranks hold the faces that are known, and no others."""
    colors, ranks = [0] * len(picture.with_color), [0] * len(picture.with_rank)
    for side, first_color, first_rank in ((LIGHT, 0, 0), (DARK, DARK_COLORS, DARK_RANKS)):
        for card in range(picture.deck):
            face, half = picture.faces[side + card], card // HALF
            if face != UNKNOWN:
                colors[first_color + 2 * (face >> COLOR_AT) + half] |= 1 << card - HALF * half
                ranks[first_rank + 2 * (face & RANK_BITS) + half] |= 1 << card - HALF * half
    assert (picture.with_color, picture.with_rank) == (colors, ranks)


# ---------------------------------------------------------------- matches to watch
LOOK_ALIKES_PLAYED = ("0: W+C=P", "1: accept", "0: P2", "1: draw", "1: keep", "0: O2", "1: O4")


def look_alikes() -> Match:
    """A match in which seat 1 comes to hold three cards with the back W, the one in the middle known to seat 0."""
    return table(
        ["R1/W+C R2/P2 R3/O2 R9/T5", "R4/T3 R6/T4 R7/T7 W/O3"],
        top="R8/O5",
        draw="W/P5 W/O4",
        start_side="dark",
        reveal_draw_color=True,
    )


def watch(dice: Random, steps: int, **fixed: object) -> Counter[str]:
    """A random match; two seats watch from the start, one comes late.  What was met on the way."""
    match = random_table(dice, **fixed).match()
    watchers = [Watcher(match, seat) for seat in dice.sample(range(match.players), 2)]
    for watcher in watchers:
        watcher.see_deal()
    joins, met = dice.randrange(steps), Counter(event.what.value for event in match.history[0].dealt)
    for step in range(steps):
        side = match.round.side
        say_something(match, dice, eager=True)
        met.update(event.what.value for event in match.history[-1].said[-1].events)
        for watcher in watchers:
            watcher.see_move(side)
        if match.over:
            break
        if match.round.over:
            met.update(event.what.value for event in match.next_round())
            for watcher in watchers:
                watcher.see_deal()
        if step == joins:
            watchers.append(Watcher(match, dice.randrange(match.players)))
            watchers[-1].come_late()
        for watcher in watchers:
            check(watcher)
    return met
