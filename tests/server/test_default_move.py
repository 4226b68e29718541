"""What a seat says in need: always legal, and what a careful person would expect."""

from __future__ import annotations

from random import Random

import pytest

from flipdeck.core import editions
from flipdeck.core.match import Match
from flipdeck.core.notation import CallColor
from flipdeck.core.rules.hands import put_in_hand
from flipdeck.core.view import Phase
from flipdeck.server.default_move import default_move
from tests.random_matches import TableSetup, most_players, playable, random_table, say_something, values_of
from tests.tables import say, table

HOUSE_RULES = ("forced_play", "stacking", "draw_until_playable", "jump_in")


def check_and_go_on(match: Match, dice: Random, steps: int, in_need_often: float) -> set[Phase]:
    """In every position the seat on turn has something to say in need, and the match takes it."""
    met: set[Phase] = set()
    for _ in range(steps):
        if match.over:
            break
        if match.round.over:
            match.next_round()
            continue
        assert match.to_act is not None
        view = match.view(match.to_act)
        move = default_move(view)
        assert move in view.legal
        met.add(view.phase)
        if dice.random() < in_need_often:
            match.say(match.to_act, move)
        else:
            say_something(match, dice, eager=True)
    return met


def test_it_is_legal_in_every_position_of_random_matches_with_any_options() -> None:
    dice = Random("in need")
    met: set[Phase] = set()
    for _ in range(100):
        met |= check_and_go_on(random_table(dice).match(), dice, 100, dice.choice((0.1, 0.5, 1.0)))
    assert met == {Phase.TURN, Phase.DRAWN, Phase.COLOR, Phase.CHALLENGE}


@pytest.mark.parametrize("edition", editions.NAMES)
@pytest.mark.parametrize("own_backs", values_of("own_backs"))
def test_it_is_legal_in_every_edition_with_every_number_of_seats_and_all_house_rules(
    edition: str, own_backs: str
) -> None:
    dice = Random(f"{edition} {own_backs}")
    for chosen in range(1 << len(HOUSE_RULES)):
        options: dict[str, object] = {name: bool(chosen >> i & 1) for i, name in enumerate(HOUSE_RULES)}
        options = playable(edition, {**options, "own_backs": own_backs})
        players = 2 + chosen % (most_players(edition, options) - 1)
        check_and_go_on(TableSetup(edition, players, options, f"{chosen}").match(), dice, 60, 0.5)


def test_a_table_where_everybody_is_always_in_need_goes_on_and_nobody_is_refused() -> None:
    match = Match(players=2, seed="nobody is there", options={"forced_play": True})
    check_and_go_on(match, Random(0), 1000, 1.0)


# ---------------------------------------------------------------- what it is
def test_on_turn_a_card_is_drawn_even_if_one_could_be_played() -> None:
    assert str(default_move(table(["R7 B2", "G5 G6"], top="R5").view(0))) == "draw"


def test_the_drawn_card_is_kept() -> None:
    match = table(["B7 B2", "G5 G6"], top="R5", draw="R3")
    say(match, "0: draw")
    assert str(default_move(match.view(0))) == "keep"


def test_where_it_has_to_be_played_it_is() -> None:
    match = table(["B7 B2", "G5 G6"], top="R5", draw="R3", forced_play=True)
    say(match, "0: draw")
    assert str(default_move(match.view(0))).startswith("R3/")


def test_uno_is_said_with_the_last_card_but_one() -> None:
    match = table(["B7", "G5"], top="R5", draw="R3", forced_play=True)
    say(match, "0: draw")
    assert {str(move)[-1] for move in match.view(0).legal} > {"!"}, "there is a choice"
    assert str(default_move(match.view(0))).endswith("!")


@pytest.mark.parametrize(
    ("hand", "said"),
    [("W B2 R7 R9", "R7/"), ("W+2 R7", "R7/"), ("B2 W W+2", "W/"), ("W+2 B2", "W+2/")],
)
def test_with_nothing_left_to_draw_a_card_that_is_no_wild_is_played_if_one_fits(hand: str, said: str) -> None:
    match = table([hand, "G5 G6"], top="R5")
    leave_nothing_to_draw(match)
    move = str(default_move(match.view(0)))
    assert move.startswith(said)
    assert move.endswith("!") == (len(match.view(0).hand) == 2), "UNO is said where it is due"


def test_with_nothing_left_to_draw_and_nothing_that_fits_the_turn_is_passed() -> None:
    match = table(["B2 B3", "G5 G6"], top="R5")
    leave_nothing_to_draw(match)
    assert str(default_move(match.view(0))) == "draw"


def leave_nothing_to_draw(match: Match) -> None:
    """Whatever is not in seat 0's hand or on top is in seat 1's."""
    g = match._game
    for card in g.stock[: g.stock_size]:
        put_in_hand(g, 1, card)
    g.stock_size = 0


def test_a_draw_card_is_accepted_and_never_challenged_or_answered() -> None:
    match = table(["W+2 B2 R1", "W+2 G5 G6"], top="R5", stacking=True)
    say(match, "0: W+2=B")
    assert len(match.view(1).legal) > 2
    assert str(default_move(match.view(1))) == "accept"


def test_the_color_is_the_one_it_holds_most_of() -> None:
    match = table(["B7 G2 G4 Y1", "R5 R6"], top="W")
    assert str(default_move(match.view(0))) == "color G"


def test_the_first_color_of_several_is_called() -> None:
    match = table(["B7 G2 B1 G3 W W", "R5 R6"], top="W")
    calls = [move for move in match.view(0).legal if isinstance(move, CallColor)]
    assert default_move(match.view(0)) == next(call for call in calls if call.color.value in "GB")


@pytest.mark.parametrize("viewer", [1, None])
def test_nobody_else_has_to_say_anything(viewer: int | None) -> None:
    with pytest.raises(ValueError, match="on turn"):
        default_move(table(["R7 B2", "G5 G6"], top="R5").view(viewer))
