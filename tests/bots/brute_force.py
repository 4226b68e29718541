"""Tiny decks whose every world can be counted: what the sampler of worlds is measured against.

A group is written as people write cards: known pairs (``R1/P1``), faces without a known partner (``R1``, ``P1``), and
places by what they show (``?/P1``, ``R1/?``, ``?/?``; with ``*`` a place that was dealt first, which no late card can
be in).  Cards and faces that look the same count apart, because they are apart: a world of looks is as likely as the
number of ways to come about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from math import sqrt
from random import Random
from typing import Any

import numpy as np

from flipdeck.bots.belief.deal_plan import Placement
from flipdeck.bots.belief.memory import UNKNOWN, Memory, code_of_face
from flipdeck.bots.belief.pools import Pool
from flipdeck.bots.belief.sampler import Belief
from flipdeck.bulk import searching, twin
from flipdeck.bulk.determinize import DealPlan, deal_world
from flipdeck.core.cards import Face, Seat
from flipdeck.core.codes import DARK, LIGHT
from flipdeck.core.options import Options
from flipdeck.core.state import Game

Look = tuple[int, int]  # the light and the dark face of a card
World = tuple[Look, ...]  # what lies in each place

ONE_IN_A_THOUSAND = 3.0902  # so many standard deviations above the mean


@dataclass(frozen=True, slots=True)
class Place:
    light: int
    dark: int
    first: bool

    def takes(self, card: tuple[int, int, bool]) -> bool:
        light, dark, late = card
        return self.light in (UNKNOWN, light) and self.dark in (UNKNOWN, dark) and not (late and self.first)


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The cards of one shuffle that have no known place, and the places they are in."""

    places: str
    pairs: str = ""
    late: str = ""  # more pairs: back in the draw pile after the deal
    lights: str = ""
    darks: str = ""

    def laid(self) -> list[Place]:
        return [Place(*card_look(text.rstrip("*")), text.endswith("*")) for text in self.places.split()]

    def pool(self) -> Pool:
        late = Counter(looks_in(self.late))
        pairs = Counter(looks_in(self.pairs)) + late
        return Pool(pairs, Counter(faces_in(self.lights)), Counter(faces_in(self.darks)), late)

    def worlds(self) -> Counter[World]:
        """Every pairing of the single faces, and every way to lay the cards: each counts once."""
        cards = [(*look, False) for look in looks_in(self.pairs)] + [(*look, True) for look in looks_in(self.late)]
        lights, found = faces_in(self.lights), Counter[World]()
        for darks in permutations(faces_in(self.darks)):
            singles = [(light, dark, False) for light, dark in zip(lights, darks, strict=True)]
            found.update(ways_to_lay([*cards, *singles], self.laid()))
        return found


def ways_to_lay(cards: Sequence[tuple[int, int, bool]], places: Sequence[Place]) -> Iterator[World]:
    if not places:
        yield ()
        return
    for i, card in enumerate(cards):
        if places[0].takes(card):
            for rest in ways_to_lay([*cards[:i], *cards[i + 1 :]], places[1:]):
                yield (card[:2], *rest)


def faces_in(text: str) -> list[int]:
    return [code_of_face(Face.parse(each)) for each in text.split()]


def card_look(text: str) -> Look:
    light, dark = (UNKNOWN if each == "?" else code_of_face(Face.parse(each)) for each in text.split("/"))
    return light, dark


def looks_in(text: str) -> list[Look]:
    return [card_look(each) for each in text.split()]


# ---------------------------------------------------------------- a seat that knows this and no more
def memory_of(groups: Sequence[Shuffled], side: int = LIGHT) -> Memory:
    """All places in the draw pile: where they are makes no difference to what may be in them."""
    memory = Memory(Options(), 2, Seat(0))
    memory.start_round()
    places = [place for group in groups for place in group.laid()]
    g = memory.game
    g.side, g.deck, g.stock_size = side, len(places), len(places)
    for number, place in enumerate(places):
        g.faces[LIGHT + number], g.faces[DARK + number] = place.light, place.dark
        memory.dealt_first[number] = place.first
    memory.group[: len(places)] = [number for number, group in enumerate(groups) for _ in group.laid()]
    memory.pools = [group.pool() for group in groups]
    return memory


def all_worlds(groups: Sequence[Shuffled]) -> Counter[World]:
    """Every world that agrees with what is seen, with the number of ways to come about."""
    found = Counter[World]()
    for parts in product(*(group.worlds().items() for group in groups)):
        world, ways = tuple[Look, ...](), 1
        for looks, number in parts:
            world, ways = world + looks, ways * number
        found[world] += ways
    return found


def sampled_worlds(memory: Memory, number: int, dice: Random) -> Counter[World]:
    """As the bots sample: a plan, what it settles, and the rest dealt; a new plan wherever something is placed."""
    belief, g, found = Belief(memory), memory.game.copy(), Counter[World]()
    if belief.certain:
        games = dealt_in_bulk(g, belief.plan(dice)[0], number, dice.getrandbits(62))
        return Counter(world_of(faces, g.deck) for faces in games["faces"].tolist())
    unseen, rng = g.faces[:], dice.getrandbits(62)
    for _ in range(number):
        plan, placed = belief.plan(dice)
        g.faces[:] = unseen
        settle(g, placed)
        rng = deal_world(g, plan, rng)
        found[world_of(g.faces, g.deck)] += 1
    return found


def deal_one(memory: Memory, belief: Belief, dice: Random, tries: int = 1) -> Game:
    """One determinization of a memory, with a plan of its own."""
    plan, placed = belief.plan(dice, tries)
    world = memory.game.copy()
    settle(world, placed)
    deal_world(world, plan, dice.getrandbits(62))
    return world


def settle(g: Game, placed: Sequence[Placement]) -> None:
    for place, front, back in placed:
        g.faces[g.side + place], g.faces[DARK - g.side + place] = front, back


def world_of(faces: Sequence[int], deck: int) -> World:
    return tuple(zip(faces[:deck], faces[DARK : DARK + deck], strict=True))


def dealt_in_bulk(g: Game, plan: DealPlan, number: int, rng: int) -> Any:
    """Records of so many worlds from one plan, by the compiled twin."""
    base, plans, games = np.zeros(1, twin.GAME), np.zeros(1, searching.DEAL_PLAN), np.zeros(number, twin.GAME)
    twin.to_record(g, base[0])
    twin.to_record(plan, plans[0])
    searching.deal_worlds(base, plans, games, rng)
    return games


# ---------------------------------------------------------------- are they the same?
def most_chi_square(degrees: int) -> float:
    """What chi-square exceeds once in a thousand times, after Wilson and Hilferty."""
    part = 2 / (9 * degrees)
    return degrees * (1 - part + ONE_IN_A_THOUSAND * sqrt(part)) ** 3


def chi_square(ways: Counter[World], found: Counter[World]) -> float:
    share = found.total() / ways.total()
    return sum((found[world] - number * share) ** 2 / (number * share) for world, number in ways.items())


def disagreement(groups: Sequence[Shuffled], memory: Memory, number: int, dice: Random) -> str:
    """What is wrong with the worlds sampled for a memory; nothing, if they are as likely as they should be."""
    ways, found = all_worlds(groups), sampled_worlds(memory, number, dice)
    if impossible := found.keys() - ways.keys():
        return f"{len(impossible)} impossible worlds"
    if missing := ways.keys() - found.keys():
        return f"{len(missing)} of {len(ways)} worlds never occur"
    if len(ways) > 1 and (far := chi_square(ways, found)) > most_chi_square(len(ways) - 1):
        return f"chi-square {far:.0f} for {len(ways)} worlds"
    return ""


# ---------------------------------------------------------------- tables
# each a side in play and its groups; on the light side the dark faces are the backs
TABLES: dict[str, tuple[int, list[Shuffled]]] = {
    "pairs as they are printed": (
        LIGHT,
        [Shuffled("?/P1 ?/P1 ?/P2 ?/? ?/? ?/?", pairs="R1/P1 R2/P1 R3/P1 R4/P2 R5/P2 R5/P3")],
    ),
    "faces without known partners": (
        LIGHT,
        [Shuffled("?/P1 ?/P3 ?/? ?/? ?/?", lights="R1 R1 R2 R3 R4", darks="P1 P1 P2 P3 P3")],
    ),
    "a later round: some pairs are known": (
        DARK,
        [Shuffled("R1/? R2/? ?/? ?/? ?/?", pairs="R1/P1 R2/P2", lights="R1 R2 R3", darks="P1 P3 P4")],
    ),
    "cards that went back before the opening": (
        LIGHT,
        [Shuffled("?/P1* ?/P1 ?/P2* ?/? ?/? ?/?", pairs="R1/P1 R2/P1 R5/P2", late="R3/P1 R4/P2 R5/P2")],
    ),
    "… among faces without known partners": (
        LIGHT,
        [Shuffled("?/P1* ?/P1 ?/? ?/? ?/?", pairs="R1/P1", late="R3/P1", lights="R4 R5 R1", darks="P1 P1 P2")],
    ),
    "after a reshuffle": (
        LIGHT,
        [
            Shuffled("?/P1 ?/P2 ?/? ?/?", pairs="R1/P1 R2/P2", lights="R1 R3", darks="P1 P2"),
            Shuffled("?/P1 ?/? ?/?", pairs="R5/P1 R6/P1 R2/P3"),
        ],
    ),
    "the bottom of the draw pile shows its front": (
        LIGHT,
        [Shuffled("R1/? ?/P1 ?/P2 ?/? ?/? ?/?", pairs="R1/P1 R1/P2 R2/P1 R2/P2 R3/P2 R4/P2")],
    ),
    "own backs hidden in the first round": (
        LIGHT,
        [Shuffled("R1/?* R2/?* ?/P1* ?/? ?/?", lights="R1 R2 R2 R3 R4", darks="P1 P1 P2 P3 P4")],
    ),
    "own backs hidden in a later round": (
        LIGHT,
        [Shuffled("R1/? R2/? ?/P1 ?/P2 ?/? ?/?", pairs="R1/P1 R2/P1 R3/P2", lights="R1 R4 R2", darks="P1 P2 P3")],
    ),
    "… and cards that went back": (
        DARK,
        [
            Shuffled(
                "?/P1* ?/P1 R1/?* R2/? ?/? ?/?",
                pairs="R1/P1 R1/P2 R2/P1",
                late="R1/P1",
                lights="R1 R2",
                darks="P4 P2",
            )
        ],
    ),
    "two cards that look the same, one of which went back": (
        LIGHT,
        [Shuffled("R1/? ?/P1* ?/? ?/?", pairs="R1/P1 R2/P1 R3/P1", late="R1/P1")],
    ),
    "a chain of fronts and backs": (
        DARK,
        [Shuffled("?/P1 ?/P2 ?/P3 R1/? R2/? ?/?", pairs="R1/P1 R1/P2 R2/P2 R2/P3 R3/P3 R3/P1")],
    ),
}


def random_groups(dice: Random) -> list[Shuffled]:
    """One or two groups; few faces, so that cards look alike; few enough worlds to meet all of them."""
    for _ in range(100):
        sizes = dice.choice(([3], [4], [5], [5], [6], [6], [3, 4]))
        groups = [_random_group(dice, size) for size in sizes]
        if min((ways := all_worlds(groups)).values()) * 250 > ways.total():
            return groups
    raise AssertionError("no table has few enough worlds")


def _random_group(dice: Random, size: int) -> Shuffled:
    """Cards are laid, then some of their faces are shown: so there is a world that agrees."""
    kinds = [dice.choice(("pair", "pair", "late", "single")) for _ in range(size)]
    cards = [(f"R{dice.randint(1, 3)}", f"P{dice.randint(1, 3)}", kind) for kind in kinds]
    laid = []
    for light, dark, kind in cards:
        shown = dice.choice(("?/?", f"?/{dark}", f"{light}/?"))
        first = kind != "late" and shown != "?/?" and dice.random() < 0.5  # what is dealt first shows a face
        laid.append(shown + "*" * first)
    pairs, late, singles = ([card[:2] for card in cards if card[2] == kind] for kind in ("pair", "late", "single"))
    return Shuffled(
        " ".join(laid),
        pairs=" ".join(map("/".join, pairs)),
        late=" ".join(map("/".join, late)),
        lights=" ".join(light for light, _ in singles),
        darks=" ".join(dark for _, dark in singles),
    )
