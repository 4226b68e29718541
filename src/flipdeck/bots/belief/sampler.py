"""Belief: the distribution over determinizations that agree with a seat's information set.

A card in another hand shows its back, the face not in play; its front is any of the unseen cards with that back.  A few
places show a front and no back: cards low in the draw pile that were on top before a flip, and the own hand where own
backs are hidden.  They make the classes of backs depend on each other, so a plan draws them first (``front_only``);
``bulk.determinize`` deals the rest.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import product
from math import exp, inf, log, prod

from ...bulk.acting import kind_of
from ...bulk.determinize import GROUPS, DealPlan
from ...core.codes import CARDS, DARK
from ...core.reading import hand_in_order
from .ambiguity import MAX_HYPOTHESES, Ambiguity, Hypothesis, Known
from .deal_plan import Placement, PlanWriter
from .group import Group
from .knowledge import Knowledge
from .pools import UNKNOWN

TRIES = 6  # at a card that agrees with how the others played


class Scenario:
    """One hypothesis for every ambiguity, taken together, and the groups as they are then."""

    def __init__(self, knowledge: Knowledge, chosen: Iterable[tuple[Ambiguity, Hypothesis]] = ()) -> None:
        g = knowledge.game
        self.side, self.faces, self.pools = g.side, g.faces, knowledge.pools
        self.dealt_first, self.bans = knowledge.dealt_first, knowledge.bans[g.side : g.side + CARDS]
        self.known: list[Placement] = []  # here, and not in all scenarios
        self.possible = True
        chosen = list(chosen)
        if chosen:
            self.faces, self.dealt_first = self.faces[:], self.dealt_first[:]
            self.pools = [pool.copy() for pool in self.pools]
        for ambiguity, hypothesis in chosen:
            for place, one in zip(ambiguity.places, hypothesis, strict=True):
                self._know(knowledge, place, one, ambiguity.side)
        self.groups = self._groups(knowledge)

    def _groups(self, knowledge: Knowledge) -> list[Group]:
        by_group: dict[int, list[int]] = defaultdict(list)
        for card in range(knowledge.game.deck):
            if self.faces[card] == UNKNOWN or self.faces[DARK + card] == UNKNOWN:
                by_group[knowledge.group[card]].append(card)
        return [
            Group(self.pools[number], places, self.side, self.faces, self.dealt_first, self.bans)
            for number, places in sorted(by_group.items())
        ]

    def _know(self, knowledge: Knowledge, place: int, one: Known, side: int) -> None:
        self.dealt_first[place] = one.first
        if side == self.side:
            self.bans[place] = one.ban
        if one.pair and knowledge.known_pair(place) is None:
            pool = self.pools[knowledge.group[place]]
            self.possible &= pool.has(one.pair)
            pool.take(one.pair)
            self.known.append((place, *(one.pair[::-1] if self.side == DARK else one.pair)))
        self.faces[place], self.faces[DARK + place] = one.light, one.dark

    def weight(self) -> float:
        """The logarithm of the number of determinizations."""
        return sum(group.weight() for group in self.groups) if self.possible else -inf


class Belief:
    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._scenarios, self._weights = _scenarios_of(knowledge)
        self.groups = (self._scenarios[0] if len(self._scenarios) == 1 else Scenario(knowledge)).groups

    @property
    def certain(self) -> bool:
        """One plan serves for all determinizations: no place has to be drawn first."""
        return len(self._scenarios) == 1 and not any(group.by_front for group in self.groups)

    def plan(self, rng: random.Random, tries: int = 1) -> tuple[DealPlan, list[Placement]]:
        """A plan to deal determinizations from, and the cards that it has placed already.

        With one try every determinization is as likely as any other; with more, unlikely ones are seldom.
        """
        knowledge = self._knowledge
        plan = DealPlan(seat=knowledge.seat, color_before=knowledge.color_before, tries=tries)
        if tries > 1:
            side = knowledge.game.side
            plan.unlikely[:] = knowledge.unlikely[side : side + CARDS]
        scenario = self._scenarios[0]
        if len(self._scenarios) > 1:
            scenario = rng.choices(self._scenarios, self._weights)[0]
        writer = PlanWriter(plan)
        for group in scenario.groups[:GROUPS]:
            writer.add(group, rng)
        return plan, scenario.known + writer.placed

    def fronts_in(self, seat: int) -> Iterator[dict[int, float]]:
        """For every card of another hand whose front is not known: how likely each front is.

        Each card by itself: that two of them can't be the same card is left out.  What is unlikely weighs less.
        """
        g = self._knowledge.game
        groups = {place: group for group in self.groups for held in group.by_back.values() for place in held}
        for place in hand_in_order(g, seat):
            if place in groups:
                chances = groups[place].front_chances(g.faces[DARK - g.side + place])
                possible = _without(chances, self._knowledge.bans[g.side + place])
                yield _weighed(possible, self._knowledge.unlikely[g.side + place])


def _scenarios_of(knowledge: Knowledge) -> tuple[list[Scenario], list[float]]:
    """Every combination of hypotheses, and how likely it is."""
    if not knowledge.ambiguities:
        return [Scenario(knowledge)], [1.0]
    ambiguities = sorted(knowledge.ambiguities.values(), key=lambda ambiguity: len(ambiguity.hypotheses))
    while len(ambiguities) > 1 and prod(len(ambiguity.hypotheses) for ambiguity in ambiguities) > MAX_HYPOTHESES:
        ambiguities.pop()
    scenarios, weights = [], []
    for chosen in product(*(ambiguity.hypotheses.items() for ambiguity in ambiguities)):
        scenario = Scenario(knowledge, zip(ambiguities, (hypothesis for hypothesis, _ in chosen), strict=True))
        weight = scenario.weight()
        if weight > -inf:
            scenarios.append(scenario)
            weights.append(weight + sum(log(deals) for _, deals in chosen))
    if not scenarios:
        return [Scenario(knowledge)], [1.0]
    most = max(weights)
    return scenarios, [exp(weight - most) for weight in weights]


def _without(chances: dict[int, float], ban: int) -> dict[int, float]:
    """Condition the chances on a ban."""
    left = {front: chance for front, chance in chances.items() if not ban >> kind_of(front) & 1}
    total = sum(left.values())
    return {front: chance / total for front, chance in left.items()} if total else chances


def _weighed(chances: dict[int, float], unlikely: int) -> dict[int, float]:
    """Down-weight unlikely fronts, as rejection with ``TRIES`` attempts would."""
    against = {front for front in chances if unlikely >> kind_of(front) & 1}
    share = sum(chances[front] for front in against)
    if not against or len(against) == len(chances):
        return chances
    seldom = share ** (TRIES - 1)
    often = (1 - share * seldom) / (1 - share)
    return {front: chance * (seldom if front in against else often) for front, chance in chances.items()}
