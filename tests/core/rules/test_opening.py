"""OPEN-2 to OPEN-7: the card that begins the discard pile, when it is no number."""

from __future__ import annotations

from typing import Any

import pytest

from flipdeck import Match
from tests.observing import color, discard_pile, draw_pile, names, phase, sizes, told, turn_of
from tests.proofs import rule
from tests.tables import may_say, refused, say, table

ACTING = ("classic", "splash", "argentina")
FULL = ("classic", "argentina")  # ten hands of ten leave twelve cards of the deck of 112
COLORS = {"color R", "color Y", "color G", "color B"}


def opened(edition: str, top: str, players: int = 4, draw: str = "Y1 Y2 Y3 Y4", **options: Any) -> Match:
    """Seat 0 deals, so seat 1 is on the left of the dealer."""
    return table(["G1 G2"], top=top, draw=draw, players=players, dealer=0, edition=edition, **options)


@rule("OPEN-2", "opening_actions", edition=ACTING)
def test_an_opening_draw_one_hits_the_left_of_the_dealer(edition: str) -> None:
    match = opened(edition, "R+1")
    assert sizes(match) == [2, 3, 2, 2]
    assert turn_of(match, 2)


@rule("OPEN-2", edition=ACTING)
def test_an_opening_draw_one_acts_once(edition: str) -> None:
    match = opened(edition, "R+1")
    say(match, "2: draw", "2: keep")
    assert sizes(match) == [2, 3, 3, 2]
    assert turn_of(match, 3)


@rule("OPEN-2", edition=ACTING)
def test_with_two_players_an_opening_draw_one_lets_the_dealer_play(edition: str) -> None:
    match = opened(edition, "R+1", players=2)
    assert sizes(match) == [2, 3]
    assert turn_of(match, 0)


@rule("OPEN-2", edition=ACTING)
def test_an_opening_draw_one_is_told_after_the_deal(edition: str) -> None:
    match = opened(edition, "R+1")
    dealt = match.history[0].dealt
    assert names(dealt) == ["dealt"] * 4 + ["turned_up", "drew", "skipped"]
    assert [len(event.cards or ()) for event in told(dealt, "dealt")] == [2, 2, 2, 2]


@rule("OPEN-3", "opening_actions", edition=ACTING)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_with_an_opening_reverse_the_dealer_plays_first_and_play_goes_right(edition: str, players: int) -> None:
    match = opened(edition, "RR", players=players)
    assert turn_of(match, 0)
    assert match.view(None).direction == -1
    say(match, "0: draw", "0: keep")
    assert turn_of(match, players - 1)


@rule("OPEN-4", "opening_actions", edition=ACTING)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_with_an_opening_skip_the_left_of_the_dealer_is_skipped(edition: str, players: int) -> None:
    match = opened(edition, "RS", players=players)
    assert turn_of(match, 2 % players)
    assert sizes(match) == [2] * players
    assert match.view(None).direction == 1


@rule("OPEN-5", "opening_actions", edition=ACTING)
def test_with_an_opening_wild_the_left_of_the_dealer_calls_the_color_and_then_plays(edition: str) -> None:
    match = table(["G1 G2", "B1 G3", "R1 R2"], top="W", dealer=0, edition=edition)
    assert (phase(match), match.to_act, color(match)) == ("color", 1, None)
    assert may_say(match, 1) == COLORS
    say(match, "1: color B")
    assert turn_of(match, 1)
    assert color(match) == "B"
    assert may_say(match, 1) == {"B1", "B1!", "draw"}


@rule("OPEN-5", edition=ACTING)
def test_nobody_plays_on_an_opening_wild_before_its_color_is_called(edition: str) -> None:
    match = table(["G1 G2", "W G3", "R1 R2"], top="W", dealer=0, edition=edition)
    assert refused(match, 1, "draw") == "call-first"
    assert refused(match, 1, "W=G!") == "call-first"
    assert refused(match, 2, "color R") == "not-your-turn"
    assert refused(match, 1, "color P")


@rule("OPEN-6", "opening_actions", edition=ACTING)
def test_an_opening_wild_draw_two_goes_back_and_another_card_is_turned_over(edition: str) -> None:
    opens_again(opened(edition, "W+2/P9", draw="Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8"), "W+2/P9")


@rule("OPEN-6b", "opening_flip", edition=ACTING)
def test_an_opening_flip_goes_back_and_another_card_is_turned_over(edition: str) -> None:
    match = opened(edition, "RF/P9", draw="Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8")
    assert match.options.opening_flip == "redraw"
    opens_again(match, "RF/P9")
    assert match.round.side.value == "light"


def opens_again(match: Match, returned: str) -> None:
    dealt = match.history[0].dealt
    assert names(dealt)[4:7] == ["turned_up", "returned", "turned_up"]
    assert [str(event.card) for event in dealt[4:6]] == [returned, returned]
    assert len(discard_pile(match)) == 1
    assert discard_pile(match)[0].split("/")[0] not in {"W+2", "RF", "YF", "GF", "BF"}
    # the returned card is in the pile again, which was shuffled: what lay under it does not lie in order any more
    assert len(draw_pile(match)) + sum(sizes(match)) + 1 == match.options.cards
    assert returned in draw_pile(match)
    assert [card.split("/")[0] for card in draw_pile(match)[:7]] != ["Y1", "Y2", "Y3", "Y4", "Y5", "Y6", "Y7"]
    assert [card.split("/")[0] for card in draw_pile(match)[:7]] != ["Y2", "Y3", "Y4", "Y5", "Y6", "Y7", "Y8"]


@rule("OPEN-6", "OPEN-6b", edition=ACTING)
@pytest.mark.parametrize("top", ["W+2", "RF"])
def test_the_card_turned_over_instead_has_its_own_effect(edition: str, top: str) -> None:
    """Whatever comes up after the return, over many shuffles, opens as if it had come up first."""
    seen = set()
    for number in range(25):
        match = opened(edition, top, seed=f"opening {number}")
        symbol = match.view(None).top.symbol.value
        seen.add(symbol)
        if symbol == "+1":
            assert (sizes(match), match.to_act) == ([2, 3, 2, 2], 2)
        elif symbol == "S":
            assert match.to_act == 2
        elif symbol == "W":
            assert (phase(match), match.to_act) == ("color", 1)
    assert {"+1", "S"} <= seen


@rule("OPEN-6", edition=FULL)
def test_a_wild_draw_two_stays_without_effect_if_no_card_left_could_open(edition: str) -> None:
    match = nothing_else_left(edition, "W+2", "W+2 W+2 W+2 RF RF YF YF GF GF BF BF")
    assert discard_pile(match)[0].startswith("W+2/")
    assert sizes(match) == [10] * 10
    assert (phase(match), match.to_act) == ("color", 1)
    say(match, "1: color G")
    assert turn_of(match, 1)


@rule("OPEN-6b", edition=FULL)
def test_a_flip_stays_without_effect_if_no_card_left_could_open(edition: str) -> None:
    match = nothing_else_left(edition, "RF", "RF W+2 W+2 W+2 W+2 YF YF GF GF BF BF")
    assert discard_pile(match)[0].startswith("RF/")
    assert match.round.side.value == "light"
    assert turn_of(match, 1)
    assert color(match) == "R"


@rule("OPEN-6", edition="classic")
def test_an_opening_comes_to_an_end_even_if_hardly_any_card_could_open(edition: str) -> None:
    """With one number among twelve cards some seed needs more shuffles than anybody would wait for."""
    deck = nothing_else_left(edition, "W+2", "W+2 W+2 W+2 RF RF YF YF GF GF BF B5").given_deck
    returns = []
    for seed in range(60):
        match = Match(edition, 10, seed=f"hardly {seed}", dealer=0, deck=deck, options={"hand_size": 10})
        returns.append(names(match.history[0].dealt).count("returned"))
        assert str(match.view(None).top) == "B5"
        assert turn_of(match, 1)
    assert max(returns) == 20


def nothing_else_left(edition: str, top: str, draw: str) -> Match:
    return table([" ".join("?" * 10)], top=top, draw=draw, players=10, dealer=0, edition=edition)


@rule("OPEN-6b", "opening_flip", edition=ACTING)
def test_opening_flip_apply_turns_everything_over(edition: str) -> None:
    match = table(
        ["G1/P1 G2/P2", "G3/T1 G4/T2"],
        top="RF/T9",
        draw="Y1/O1",
        bottom="Y9/O9",
        dealer=0,
        edition=edition,
        opening_flip="apply",
    )
    view = match.view(1)
    assert view.side.value == "dark"
    assert str(view.top) == "T9"
    assert draw_pile(match)[0] == "Y9/O9"
    assert draw_pile(match)[-1] == "Y1/O1"
    assert turn_of(match, 1)
    assert may_say(match, 1) == {"T1", "T1!", "T2", "T2!", "draw"}
    assert view.direction == 1


@rule("OPEN-6b", "opening_flip", edition=ACTING)
@pytest.mark.parametrize("wild", ["W", "W+C"])
def test_if_a_wild_shows_after_an_opening_flip_the_left_of_the_dealer_calls_the_color(edition: str, wild: str) -> None:
    match = opened(edition, f"RF/{wild}", opening_flip="apply")
    assert (phase(match), match.to_act) == ("color", 1)
    assert may_say(match, 1) == {"color P", "color O", "color T", "color V"}
    say(match, "1: color T")
    assert turn_of(match, 1)
    assert sizes(match) == [2, 2, 2, 2]


@rule("OPEN-6b", "opening_flip", edition=ACTING)
@pytest.mark.parametrize("dark", ["T+5", "TR", "TE", "TF"])
def test_an_action_that_shows_after_an_opening_flip_is_not_activated(edition: str, dark: str) -> None:
    match = opened(edition, f"RF/{dark}", opening_flip="apply")
    assert turn_of(match, 1)
    assert match.view(None).direction == 1
    assert sizes(match) == [2, 2, 2, 2]


@rule("OPEN-2", "OPEN-3", "OPEN-4", "OPEN-5", "OPEN-6", "OPEN-6b", "OPEN-7", "opening_flip", edition="mild-wild")
@pytest.mark.parametrize("top", ["R+1", "RR", "RS", "W", "W+2", "RF"])
@pytest.mark.parametrize("players", [2, 4])
def test_an_opening_action_is_ignored_and_covered_by_the_next_card(edition: str, top: str, players: int) -> None:
    match = opened(edition, top, players=players, draw="Y1 Y2")
    assert [card.split("/")[0] for card in discard_pile(match)] == ["Y1", top]
    assert color(match) == "Y"
    assert turn_of(match, 1)
    assert match.view(None).direction == 1
    assert match.round.side.value == "light"
    assert sizes(match) == [2] * players


@rule("OPEN-7", "opening_actions", edition="mild-wild")
def test_cards_are_turned_over_until_one_is_a_number(edition: str) -> None:
    match = opened(edition, "W+2", draw="RF W RS RR R+1 Y4 G7")
    assert [card.split("/")[0] for card in discard_pile(match)] == ["Y4", "R+1", "RR", "RS", "W", "RF", "W+2"]
    assert draw_pile(match)[0].startswith("G7/")
    assert names(match.history[0].dealt)[4:] == ["turned_up"] * 7
    assert turn_of(match, 1)


@rule("OPEN-7", edition=ACTING)
@pytest.mark.parametrize("top", ["R+1", "RR", "RS", "W"])
def test_where_actions_open_no_card_covers_them(edition: str, top: str) -> None:
    match = opened(edition, top)
    assert [card.split("/")[0] for card in discard_pile(match)] == [top]


@rule("opening_actions")
def test_either_way_to_open_can_be_chosen(edition: str) -> None:
    acting = opened(edition, "RS", opening_actions="act")
    assert turn_of(acting, 2)
    ignoring = opened(edition, "RS", opening_actions="ignore")
    assert turn_of(ignoring, 1)
    assert len(discard_pile(ignoring)) == 2


@rule("OPEN-7", "opening_ignored")
@pytest.mark.parametrize("top", ["R+1", "RR", "RS", "W", "W+2", "RF"])
def test_an_ignored_card_goes_back_where_the_table_says_so(edition: str, top: str) -> None:
    match = opened(edition, f"{top}/P9", opening_actions="ignore", opening_ignored="goes_back")
    dealt = names(match.history[0].dealt)[4:]
    assert dealt[:2] == ["turned_up", "returned"]
    assert dealt[-1] == "turned_up"
    assert len(discard_pile(match)) == 1
    assert match.view(None).top.symbol.is_number
    assert f"{top}/P9" in draw_pile(match)
    assert turn_of(match, 1)


@rule("OPEN-7", "opening_ignored", edition="mild-wild")
def test_the_ignored_card_stays_unless_the_table_says_otherwise(edition: str) -> None:
    match = opened(edition, "RS", draw="Y1 Y2")
    assert match.options.opening_ignored == "stays"
    assert len(discard_pile(match)) == 2


@rule("OPEN-7", "opening_ignored", edition=ACTING)
def test_where_actions_open_nothing_is_ignored(edition: str) -> None:
    match = opened(edition, "RS", opening_ignored="goes_back")
    assert names(match.history[0].dealt)[4:] == ["turned_up", "skipped"]
