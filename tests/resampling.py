"""Redraw everything that a viewer can't know: what the viewer is told must not change by a byte (SEE-1 to SEE-8).

A slot is one face of one card: ``(side, card)``.  The faces in the slots a viewer can see stay; all others are
shuffled among themselves, the cards get new numbers, and the secrets of the match are replaced.
"""

from __future__ import annotations

import copy
import json
from random import Random

from flipdeck.core.cards import Seat, Side
from flipdeck.core.codes import CARDS, DARK, LIGHT
from flipdeck.core.errors import Refusal
from flipdeck.core.events import What, events_of
from flipdeck.core.match import Match
from flipdeck.core.reading import card_named, hand_in_order
from flipdeck.core.rules.hands import HALF, index_faces
from flipdeck.core.rules.log import SEAT_AT, THING_AT
from flipdeck.core.rules.moves import KEEP, TAKE
from flipdeck.core.state import OVER, TURN, Game

Slot = tuple[int, int]

KINDS = tuple(What)
ABOUT_A_CARD = {What.DEALER_CARD, What.TURNED_UP, What.RETURNED, What.PLAYED, What.DREW, What.REVEALED, What.FLIPPED}

# What an event shows: to the owner of the card, and to everybody else.  "own" is what the owner of a hand sees.
SHOWS = {
    What.DEALER_CARD: ("light", "light"),  # DEALER-1
    What.DEALT: ("own", "back"),  # SEE-1
    What.TURNED_UP: ("both", "both"),  # SEE-3: it lay on top of the draw pile, then face up
    What.RETURNED: ("both", "both"),
    What.PLAYED: ("own", "both"),  # its back was turned to everybody but the owner
    What.DREW: ("own", "back"),  # SEE-1, SEE-2
    What.REVEALED: ("own", "both"),  # SEE-6, ACT-8
    What.FLIPPED: ("both", "both"),  # SEE-3: the new top was played or turned up, and now its other face shows
    What.CHALLENGED: ("own", "back"),  # SEE-6, CHAL-2: and to the challenger, the faces as well
    What.LAID_OPEN: ("both", "both"),  # SEE-8
}


# ---------------------------------------------------------------- what a viewer can know
def visible_now(g: Game, viewer: int | None, own_backs: str) -> set[Slot]:
    """What lies open to a viewer at this moment, or lay open when it was played."""
    back = DARK - g.side
    known = {(g.side, card) for card in g.pile[: g.pile_size]}
    if own_backs == "shown" or viewer is None:
        known |= {(back, card) for card in g.pile[: g.pile_size]}
    if g.stock_size:
        known.add((back, g.stock[g.stock_size - 1]))
    for seat in range(g.players):
        for card in hand_in_order(g, seat):
            look = "both" if g.phase == OVER else "own" if seat == viewer else "back"
            known |= _slots(look, card, g.side, own_backs)
    return known


def shown_by_events(g: Game, side: Side, viewer: int | None, own_backs: str) -> set[Slot]:
    """What the events of the last step show a viewer; ``side`` was in play when it began."""
    known: set[Slot] = set()
    active = LIGHT if side is Side.LIGHT else DARK
    for number in g.log[: g.log_size]:
        what, seat, thing = KINDS[number & 255], number >> SEAT_AT & 255, number >> THING_AT
        if what is What.FLIPPED:
            active = DARK - active
        for owner, card in _cards_told(g, what, seat, thing):
            look = SHOWS[what][0 if owner == viewer else 1]
            if what is What.CHALLENGED and thing == viewer:
                look = "both"
            known |= _slots(look, card, active, own_backs)
    return known


def _slots(look: str, card: int, active: int, own_backs: str) -> set[Slot]:
    if look == "own":
        look = "both" if own_backs == "shown" else "active"
    sides = {"both": (LIGHT, DARK), "light": (LIGHT,), "active": (active,), "back": (DARK - active,)}[look]
    return {(side, card) for side in sides}


def _cards_told(g: Game, what: What, seat: int, thing: int) -> list[tuple[int, int]]:
    """The cards of an event, each with its owner."""
    if what in ABOUT_A_CARD:
        return [(seat, thing)]
    if what is What.DEALT:
        return [(each, card) for each in range(g.players) for card in hand_in_order(g, each)[: g.hand_size]]
    if what is What.LAID_OPEN:
        return [(each, card) for each in range(g.players) for card in hand_in_order(g, each)]
    if what is What.CHALLENGED:
        return [(seat, card) for card in hand_in_order(g, seat) if g.arrived[card] <= g.shown_until]
    return []


# ---------------------------------------------------------------- another match that looks the same
def resampled(g: Game, known: set[Slot], dice: Random) -> Game:
    twin = g.copy()
    for side in (LIGHT, DARK):
        hidden = [card for card in range(g.deck) if (side, card) not in known]
        faces = [g.faces[side + card] for card in hidden]
        dice.shuffle(faces)
        for card, face in zip(hidden, faces, strict=True):
            twin.faces[side + card] = face
    _renumber(twin, dice)
    index_faces(twin)
    twin.key = [dice.getrandbits(32) for _ in twin.key]
    twin.words = [dice.getrandbits(32) for _ in twin.words]
    twin.guilty = dice.randrange(2)  # nobody knows before the challenge, and then an event has told it
    return twin


def _renumber(twin: Game, dice: Random) -> None:
    """SEE-7: the number of a card must not be seen, neither itself nor by what it puts in order."""
    new = [*dice.sample(range(twin.deck), twin.deck), *range(twin.deck, CARDS)]
    faces, arrived = twin.faces[:], twin.arrived[:]
    for card in range(twin.deck):
        for side in (LIGHT, DARK):
            twin.faces[side + new[card]] = faces[side + card]
        twin.arrived[new[card]] = arrived[card]
    for half in range(0, 2 * twin.players, 2):
        held = [new[card] for card in range(CARDS) if twin.sets[half + card // HALF] >> card % HALF & 1]
        twin.sets[half] = sum(1 << card for card in held if card < HALF)
        twin.sets[half + 1] = sum(1 << card - HALF for card in held if card >= HALF)
    twin.stock = [new[card] for card in twin.stock]
    twin.pile = [new[card] for card in twin.pile]
    if twin.drawn >= 0:
        twin.drawn = new[twin.drawn]
    for at, number in enumerate(twin.log[: twin.log_size]):
        if KINDS[number & 255] in ABOUT_A_CARD:
            twin.log[at] = number & 0xFFFF | new[number >> THING_AT] << THING_AT


def twin_of(match: Match, game: Game, dice: Random) -> Match:
    twin = copy.copy(match)
    twin._game, twin.seed, twin.history = game, dice.randbytes(32), []
    return twin


# ---------------------------------------------------------------- what a viewer is told
def view_told(match: Match, viewer: int | None, sayings: list[str]) -> bytes:
    """All bytes that reach a viewer between two moves: the view, what is legal, and every refusal."""
    view = match.view(viewer)
    legal = [] if viewer is None else match.legal(viewer)
    refusals = [] if viewer is None else [_refusal_told(match.why_not(viewer, text)) for text in sayings]
    return "\n".join([repr(view), json.dumps(view.to_dict()), repr(legal), *refusals]).encode()


def _refusal_told(refusal: Refusal | None) -> str:
    return "" if refusal is None else f"{refusal.code} {refusal.reason} {refusal.facts!r} {refusal}"


def events_told(match: Match, side: Side, viewer: int | None) -> bytes:
    events = match.seen(events_of(match._game, side), viewer)
    return "\n".join([repr(events), json.dumps([event.to_dict() for event in events])]).encode()


def sayings(g: Game, viewer: int, dice: Random) -> list[str]:
    """Some things a viewer could try: what it holds, with the true back or another one, and what others hold."""
    side, back = (Side.LIGHT, Side.DARK) if g.side == LIGHT else (Side.DARK, Side.LIGHT)
    mine = [card_named(g, card) for card in hand_in_order(g, viewer)]
    anybodys = [card_named(g, card) for card in dice.sample(range(g.deck), 3)]
    cards = [*dice.sample(mine, min(3, len(mine))), *anybodys]
    texts = [str(seen) for card in cards for seen in (card, card.only(side), card.only(back))]
    texts += [f"{dice.choice(texts)}={color.value}" for color in side.colors] + [f"{dice.choice(texts)}!"]
    return [*texts, "draw", "keep", "accept", "challenge", "uno", f"catch {dice.randrange(g.players)}", "color R"]


def check_step(match: Match, side: Side, dice: Random) -> None:
    """After one step that began on ``side``: for every seat and a spectator, redraw and compare."""
    g, own_backs = match._game, match.options.own_backs
    talker = dice.randrange(match.players)  # one seat a step tries what it may not say
    for viewer in (None, *range(match.players)):
        said = sayings(g, viewer, dice) if viewer is not None and viewer == talker else []
        other = twin_of(match, resampled(g, visible_now(g, viewer, own_backs), dice), dice)
        assert view_told(other, viewer, said) == view_told(match, viewer, said), f"the view of seat {viewer} leaks"
        shown = shown_by_events(g, side, viewer, own_backs)
        other = twin_of(match, resampled(g, shown, dice), dice)
        assert events_told(other, side, viewer) == events_told(match, side, viewer), f"events leak to seat {viewer}"


def check_draw(match: Match, dice: Random) -> int:
    """Before a draw on a turn: redraw, let both twins draw and keep, and compare what everybody else is told.

    The redraw comes first, so that the drawn card fits in one twin and not in the other.  What the draw itself shows,
    the back of the next card, stays.  How many pairs of twins there were of which one could play the card.
    """
    g, unlike = match._game, 0
    if g.phase != TURN or not g.stock_size or match.options.draw_until_playable:
        return 0  # how long somebody draws until a card can be played is public
    if g.most_moves and g.moves + 2 >= g.most_moves:
        return 0  # these moves end the round, and hands are laid open
    drawer, side, back = Seat(g.turn), match.round.side, DARK - g.side
    next_card = {(back, g.stock[g.stock_size - 2])} if g.stock_size > 1 else set()
    for viewer in (None, *range(match.players)):
        if viewer == drawer:
            continue
        known = visible_now(g, viewer, match.options.own_backs) | next_card
        twins = [twin_of(match, game, dice) for game in (g.copy(), resampled(g, known, dice))]
        for word in (TAKE, KEEP):
            if word == KEEP and not all("keep" in map(str, twin.legal(drawer)) for twin in twins):
                break  # with forced play, keeping is public proof
            for twin in twins:
                twin._carry_out(drawer, word)
            if word == TAKE:
                unlike += len({len(twin.legal(drawer)) > 1 for twin in twins}) - 1
            one, other = ((events_told(twin, side, viewer), view_told(twin, viewer, [])) for twin in twins)
            assert one == other, f"a draw leaks to seat {viewer} whether the card fits"
    return unlike
