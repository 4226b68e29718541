"""Nobody is told what they can't know (SEE-1 to SEE-8): redraw all of that, and no byte they get may change.

The second half puts leaks into the code on purpose: each must be found.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from flipdeck.core import events as events_module
from flipdeck.core import moment as moment_module
from flipdeck.core import reading, refusing
from flipdeck.core import view as view_module
from flipdeck.core import writing as writing_module
from flipdeck.core.cards import Face, Seat, Side, face_of
from flipdeck.core.codes import DARK
from flipdeck.core.errors import IllegalMove, Refusal
from flipdeck.core.events import Event, What, events_of
from flipdeck.core.match import Match
from flipdeck.core.notation import Challenge, Move
from flipdeck.core.options import MINI, Options
from flipdeck.core.reading import card_named, side_in_play
from flipdeck.core.rules import turn as turn_module
from flipdeck.core.rules.deal import choose_dealer
from flipdeck.core.rules.hands import HALF
from flipdeck.core.rules.legal import can_play
from flipdeck.core.rules.order import pass_turn
from flipdeck.core.setting_up import new_game
from flipdeck.core.state import DRAWN, Game
from flipdeck.core.view import Backs, View
from tests.random_matches import random_table, step_on
from tests.resampling import (
    SHOWS,
    check_draw,
    check_step,
    events_told,
    resampled,
    shown_by_events,
    twin_of,
    visible_now,
)

MOST_STEPS = 25


def play_and_check(match: Match, dice: Random) -> None:
    """Check after the deal and after every step; a new deal when a round is over."""
    check_step(match, Side(match.options.start_side), dice)
    for _ in range(MOST_STEPS):
        if match.over:
            return
        check_draw(match, dice)
        check_step(match, step_on(match, dice), dice)


def check_matches(name: str, matches: int, **fixed: object) -> None:
    dice = Random(name)
    for _ in range(matches):
        play_and_check(random_table(dice, **fixed).match(), dice)


@pytest.mark.parametrize("part", range(4))
def test_no_byte_of_a_view_or_an_event_depends_on_what_the_viewer_cannot_know(part: int) -> None:
    check_matches(f"resample {part}", 3)


@pytest.mark.parametrize("start_side", ["light", "dark"])
@pytest.mark.parametrize("stacking", [True, False])
def test_hidden_backs_stay_hidden_from_their_owner(start_side: str, stacking: bool) -> None:
    check_matches(f"hidden {start_side} {stacking}", 2, own_backs="hidden", start_side=start_side, stacking=stacking)


@pytest.mark.parametrize("deck", [112, MINI])
@pytest.mark.parametrize("opening_ignored", ["stays", "goes_back"])
@pytest.mark.parametrize("own_backs", ["shown", "hidden"])
def test_nothing_leaks_with_any_combination_of_what_follows_a_draw(
    deck: object, opening_ignored: str, own_backs: str
) -> None:
    fixed = {"deck": deck, "opening_ignored": opening_ignored, "own_backs": own_backs, "opening_actions": "ignore"}
    for forced_play, until_playable, most_moves in product((False, True), (False, True), (0, 20)):
        house = {"forced_play": forced_play, "draw_until_playable": until_playable, "most_moves": most_moves}
        check_matches(f"{fixed} {house}", 1, **fixed, **house)


def test_many_draws_are_compared_that_fit_in_one_twin_and_not_in_the_other() -> None:
    dice, unlike = Random("draws"), 0
    match = Match("classic", 4, seed="draws")
    for _ in range(40):
        unlike += check_draw(match, dice)
        assert match.to_act is not None
        match.say(match.to_act, "draw")
        match.say(match.to_act, "keep")
    assert unlike > 20, "of 40 draws, each seen by three other seats and a spectator"


@pytest.mark.parametrize("number", range(8))
def test_drawing_for_the_deal_shows_the_light_faces_of_those_cards_alone(number: int) -> None:
    dice = Random(f"deal {number}")
    match = random_table(dice, first_dealer="highest_card").match()
    match._game = new_game(match.options, match.players, match.seed, match.given_deck)
    choose_dealer(match._game)
    assert events_of(match._game, Side.LIGHT)[0].what is What.DEALER_CARD
    for viewer in (None, *range(match.players)):
        shown = shown_by_events(match._game, Side.LIGHT, viewer, match.options.own_backs)
        other = twin_of(match, resampled(match._game, shown, dice), dice)
        assert events_told(other, Side.LIGHT, viewer) == events_told(match, Side.LIGHT, viewer)


def test_the_redraw_changes_every_hidden_thing_and_no_visible_one() -> None:
    """The check itself is checked: a twin that changed nothing would pass everything."""
    dice = Random("redraw")
    g = Match("classic", 4, seed="redraw")._game
    known = visible_now(g, 1, "shown")
    twin = resampled(g, known, dice)
    changed = sum(
        card_named(g, old) != card_named(twin, new)
        for old, new in zip(g.stock[: g.stock_size], twin.stock[: twin.stock_size], strict=True)
    )
    assert changed > g.stock_size * 0.9
    assert twin.stock != g.stock, "the numbers are new as well"
    assert len(known) == 2 * 7 + 3 * 7 + 1 + 2, "own hand, three backs of hands, the top of either pile"


def test_every_event_that_names_cards_says_who_sees_them() -> None:
    named = events_module._WITH_CARD | {What.DEALER_CARD, What.DEALT, What.CHALLENGED, What.LAID_OPEN}
    assert set(SHOWS) == named


# ---------------------------------------------------------------- leaks put in on purpose
Leak = Callable[[pytest.MonkeyPatch], None]


def leaky_view(change: Callable[[Game, Options, View], View]) -> Leak:
    honest = moment_module.Moment._seen_from

    def seen_from(moment: moment_module.Moment, seat: Seat | None) -> View:
        return change(moment.game, moment._options, honest(moment, seat))

    return lambda patch: patch.setattr(moment_module.Moment, "_seen_from", seen_from)


def faces_of_others(g: Game, _: Options, view: View) -> View:
    side = side_in_play(g)
    hands = [(other.seat, reading.hand_in_order(g, other.seat)) for other in view.others]
    others = [Backs(seat, tuple(face_of(side, g.faces[g.side + card]) for card in hand)) for seat, hand in hands]
    return replace(view, others=tuple(others))


def face_of_the_draw_pile(g: Game, _: Options, view: View) -> View:
    if not g.stock_size:
        return view
    return replace(view, draw_back=face_of(side_in_play(g), g.faces[g.side + g.stock[g.stock_size - 1]]))


def second_card_of_the_draw_pile(g: Game, _: Options, view: View) -> View:
    return replace(view, draw_back=back_of(g, g.stock[g.stock_size - 2])) if g.stock_size > 1 else view


def back_of(g: Game, card: int) -> Face:
    return face_of(side_in_play(g).other, g.faces[DARK - g.side + card])


def others_by_number(g: Game, _: Options, view: View) -> View:
    """Backs in the order of the card numbers: a hand could be followed from round to round."""
    hands = [(other.seat, sorted(reading.hand_in_order(g, other.seat))) for other in view.others]
    return replace(view, others=tuple(Backs(seat, tuple(back_of(g, card) for card in hand)) for seat, hand in hands))


def card_numbers(g: Game, _: Options, view: View) -> View:
    return replace(view, discard_count=g.pile[g.pile_size - 1])


def own_backs_always(g: Game, _: Options, view: View) -> View:
    hand = [] if view.you is None else reading.hand_in_order(g, view.you)
    return replace(view, hand=tuple(card_named(g, card) for card in hand))


def challenge_only_the_guilty(g: Game, _: Options, view: View) -> View:
    return replace(view, legal=tuple(move for move in view.legal if g.guilty or not isinstance(move, Challenge)))


def points_of_hands(g: Game, _: Options, view: View) -> View:
    from flipdeck.core.rules.hands import hand_points

    return replace(view, scores=tuple(hand_points(g, seat) for seat in range(g.players)))


def legal_by_number(patch: pytest.MonkeyPatch) -> None:
    honest = reading.moves_of

    def moves_of(g: Game, seat: int, own_backs: str = "shown") -> dict[Move, int]:
        return dict(sorted(honest(g, seat, own_backs).items(), key=lambda each: each[1]))

    patch.setattr(moment_module, "moves_of", moves_of)


def own_hand_by_number(patch: pytest.MonkeyPatch) -> None:
    def hand_in_order(g: Game, seat: int) -> list[int]:
        return [card for card in range(g.deck) if g.sets[2 * seat + card // HALF] >> card % HALF & 1]

    patch.setattr(writing_module, "hand_in_order", hand_in_order)


def own_backs_in_events(patch: pytest.MonkeyPatch) -> None:
    honest = view_module._from_one_side

    def from_one_side(event: Event, side: Side) -> Event:
        return event if side is event.side else honest(event, side)

    patch.setattr(view_module, "_from_one_side", from_one_side)


def seen_by_all(what: What) -> Leak:
    return lambda patch: patch.setattr(view_module, "_OUT_OF_A_HAND", {*view_module._OUT_OF_A_HAND, what})


def both_faces_for_the_deal(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(events_module, "_WITH_CARD", {*events_module._WITH_CARD, What.DEALER_CARD})


def refusal_names_the_next_card(patch: pytest.MonkeyPatch) -> None:
    def reason(g: Game, _seat: Seat, _move: Move, _options: Options) -> Refusal:
        return IllegalMove("not-held", card=card_named(g, g.stock[g.stock_size - 1]))

    patch.setattr(refusing, "reason", reason)


def refusal_knows_the_back(patch: pytest.MonkeyPatch) -> None:
    """Another sentence for a card named with its true back than for one named with a false one."""
    honest = refusing.reason

    def reason(g: Game, seat: Seat, move: Move, options: Options) -> Refusal:
        held = {str(card_named(g, card)) for card in reading.hand_in_order(g, seat)}
        return IllegalMove("no-uno") if str(move) in held else honest(g, seat, move, options)

    patch.setattr(refusing, "reason", reason)


def drawn_only_if_it_fits(patch: pytest.MonkeyPatch) -> None:
    """The turn went on after a draw only with a card that could be played: who kept one had a match."""
    honest = turn_module.take_card

    def take_card(g: Game, seat: int) -> None:
        honest(g, seat)
        if g.phase == DRAWN and not can_play(g, seat, g.drawn):
            pass_turn(g, 1)

    patch.setattr(turn_module, "take_card", take_card)


def drawn_card_in_every_view(g: Game, _: Options, view: View) -> View:
    return replace(view, drawn=card_named(g, g.drawn)) if g.phase == DRAWN else view


def hands_laid_open_too_early(g: Game, _: Options, view: View) -> View:
    hands = [tuple(card_named(g, card) for card in reading.hand_in_order(g, seat)) for seat in range(g.players)]
    return replace(view, laid_open=tuple(hands))


LEAKS: dict[str, tuple[Leak, dict[str, object]]] = {
    "the faces of other hands": (leaky_view(faces_of_others), {}),
    "the face of the draw pile's top": (leaky_view(face_of_the_draw_pile), {}),
    "the second card of the draw pile": (leaky_view(second_card_of_the_draw_pile), {}),
    "other hands in the order of card numbers": (leaky_view(others_by_number), {}),
    "the own hand in the order of card numbers": (own_hand_by_number, {}),
    "legal moves in the order of card numbers": (legal_by_number, {}),
    "the number of a card": (leaky_view(card_numbers), {}),
    "the points in other hands": (leaky_view(points_of_hands), {}),
    "a challenge offered against the guilty only": (leaky_view(challenge_only_the_guilty), {"bluffing": True}),
    "own backs in the view": (leaky_view(own_backs_always), {"own_backs": "hidden"}),
    "own backs in events": (own_backs_in_events, {"own_backs": "hidden"}),
    "own backs in refusals": (refusal_knows_the_back, {"own_backs": "hidden"}),
    "whether a kept card could be played": (drawn_only_if_it_fits, {"draw_until_playable": False}),
    "the drawn card in every view": (leaky_view(drawn_card_in_every_view), {}),
    "hands laid open before the end": (leaky_view(hands_laid_open_too_early), {}),
    "drawn cards": (seen_by_all(What.DREW), {}),
    "dealt hands": (seen_by_all(What.DEALT), {}),
    "a challenged hand": (seen_by_all(What.CHALLENGED), {"bluffing": True}),
    "the next card in a refusal": (refusal_names_the_next_card, {}),
}


@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_put_in_on_purpose_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    leak, options = LEAKS[name]
    leak(monkeypatch)
    with pytest.raises(AssertionError, match="leak"):
        check_matches(f"leak {name}", 20, **options)


def test_a_dark_face_shown_in_the_draw_for_the_deal_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    both_faces_for_the_deal(monkeypatch)
    with pytest.raises(AssertionError):
        test_drawing_for_the_deal_shows_the_light_faces_of_those_cards_alone(0)
