"""The other house rules: drawing on, hand size, the side to start on; and what can't be played at all."""

from __future__ import annotations

from typing import Any

import pytest

from flipdeck import Match, Refusal
from tests.observing import color, discard_pile, draw_pile, drawn_by, names, phase, sizes, turn_of
from tests.proofs import rule
from tests.tables import may_say, refused, say, table

ACTING = ("classic", "splash", "argentina")
DARK_CALLS = {"color P", "color O", "color T", "color V"}


@rule(
    *("stacking", "jump_in", "draw_until_playable", "forced_play", "bluffing", "false_catch_penalty", "uno_penalty"),
    *("hand_size", "start_side", "two_player_reverse", "target"),
)
def test_all_house_rules_are_off_by_default(edition: str) -> None:
    options = Match(edition, 4, seed="default").options
    switches = options.stacking, options.jump_in, options.draw_until_playable, options.forced_play, options.bluffing
    assert switches == (False, False, False, False, True)
    assert (options.false_catch_penalty, options.uno_penalty, options.hand_size) == (0, 2, 7)
    assert (options.start_side, options.two_player_reverse, options.target) == ("light", "skip", 500)


# ---------------------------------------------------------------- draw_until_playable
@rule("draw_until_playable")
def test_with_draw_until_playable_a_player_draws_on_until_a_card_matches(edition: str) -> None:
    draw = "G7 B8 Y9 B5 G8"
    match = table(["G1 G2", "?"], top="R5", draw=draw, edition=edition, draw_until_playable=True)
    assert drawn_by(say(match, "0: draw"), 0) == 4
    assert phase(match) == "drawn"
    assert may_say(match, 0) == {"B5", "keep"}
    say(match, "0: B5")
    assert sizes(match) == [5, 2]
    assert turn_of(match, 1)


@rule("draw_until_playable")
def test_with_draw_until_playable_the_last_card_drawn_may_be_kept_and_no_other_played(edition: str) -> None:
    match = table(["R1 G2", "?"], top="R5", draw="G7 R8", edition=edition, draw_until_playable=True)
    say(match, "0: draw")
    assert refused(match, 0, "R1") == "only-the-drawn-card"
    assert refused(match, 0, "draw") == "already-drawn"
    say(match, "0: keep")
    assert turn_of(match, 1)


@rule("draw_until_playable", "forced_play")
def test_with_forced_play_too_it_must_be_played(edition: str) -> None:
    match = table(["G1 G2", "?"], draw="G7 R8", edition=edition, draw_until_playable=True, forced_play=True)
    say(match, "0: draw")
    assert may_say(match, 0) == {"R8"}


@rule("draw_until_playable")
def test_draw_until_playable_does_not_touch_what_others_make_one_draw(edition: str) -> None:
    match = table(["R+1 ? ?", "? ? ?", "? ? ?"], draw="G7 B8 R9", edition=edition, draw_until_playable=True)
    assert drawn_by(say(match, "0: R+1"), 1) == 1


@rule("draw_until_playable")
def test_without_it_one_card_is_drawn(edition: str) -> None:
    match = table(["G1 G2", "?"], draw="G7 B8 R9", edition=edition)
    assert drawn_by(say(match, "0: draw"), 0) == 1


@rule("draw_until_playable", "bluffing")
def test_with_bluffing_off_a_forbidden_wild_draw_does_not_end_the_drawing(edition: str) -> None:
    match = table(["R1 G2", "?"], draw="W+2 G7 R9", edition=edition, draw_until_playable=True, bluffing=False)
    assert drawn_by(say(match, "0: draw"), 0) == 3


# ---------------------------------------------------------------- hand_size, players
@rule("hand_size")
@pytest.mark.parametrize("size", range(1, 11))
def test_one_to_ten_cards_can_be_dealt(edition: str, size: int) -> None:
    match = Match(edition, 3, seed="size", options={"hand_size": size, "opening_actions": "ignore"})
    assert sizes(match) == [size] * 3


@rule("hand_size")
@pytest.mark.parametrize("size", [0, 11, -1])
def test_other_hand_sizes_are_refused(edition: str, size: int) -> None:
    with pytest.raises(Refusal, match="hand_size is a whole number from 1 to 10"):
        Match(edition, 3, seed="size", options={"hand_size": size})


@rule("hand_size", edition="splash")
def test_ten_times_ten_cards_of_108_are_refused_with_a_sentence(edition: str) -> None:
    with pytest.raises(Refusal, match="10 players with 10 cards each can't be dealt from 108") as refusal:
        Match(edition, 10, seed="size", options={"hand_size": 10})
    assert refusal.value.code == "bad-option"


@rule("hand_size", edition=("classic", "argentina", "mild-wild"))
def test_ten_times_ten_cards_of_112_can_be_dealt(edition: str) -> None:
    match = Match(edition, 10, seed="size", options={"hand_size": 10})
    assert sum(sizes(match)) + len(draw_pile(match)) + len(discard_pile(match)) == 112


@rule("hand_size", "DECK-5")
def test_a_combination_that_cannot_be_played_is_refused_when_it_is_set(edition: str) -> None:
    with pytest.raises(Refusal, match="2 to 10 can play, not 11"):
        Match(edition, 11, seed="size", options={"hand_size": 1})


@rule("uno_penalty", "false_catch_penalty")
@pytest.mark.parametrize("name", ["uno_penalty", "false_catch_penalty"])
@pytest.mark.parametrize("cards", [-1, 11])
def test_penalties_go_from_nothing_to_ten_cards(edition: str, name: str, cards: int) -> None:
    with pytest.raises(Refusal, match=f"{name} is a whole number from 0 to 10"):
        Match(edition, 3, seed="size", options={name: cards})


# ---------------------------------------------------------------- start_side
def dark(edition: str, top: str, players: int = 4, **options: Any) -> Match:
    """A round that starts on the dark side; seat 0 deals."""
    draw = options.pop("draw", "O1 O2 O3 O4 O6 O7")
    return table(
        ["T1 T2"], top=top, draw=draw, players=players, dealer=0, edition=edition, start_side="dark", **options
    )


@rule("start_side", "OPEN-1")
def test_a_round_can_start_on_the_dark_side(edition: str) -> None:
    match = dark(edition, "R5/P5", draw="G1/O1")
    view = match.view(1)
    assert view.side.value == "dark"
    assert (str(view.top), str(view.draw_back)) == ("P5", "G1")
    assert turn_of(match, 1)


@rule("start_side")
def test_every_round_starts_on_the_side_chosen(edition: str) -> None:
    match = table(["PF", "T1"], top="R5/P5", edition=edition, start_side="dark", scoring="points")
    say(match, "0: PF")
    assert match.round.side.value == "light"
    match.next_round()
    first = match.history[-1].dealt[0]
    assert first.side.value == "dark"


@rule("start_side", edition=ACTING)
@pytest.mark.parametrize("players", [2, 4])
def test_an_opening_draw_five_hits_the_left_of_the_dealer(edition: str, players: int) -> None:
    match = dark(edition, "P+5", players=players)
    assert sizes(match) == [2, 7, *[2] * (players - 2)]
    assert turn_of(match, 2 % players)


@rule("start_side", edition=ACTING)
def test_with_an_opening_skip_everyone_the_dealer_plays(edition: str) -> None:
    match = dark(edition, "PE")
    assert turn_of(match, 0)
    assert match.view(None).direction == 1
    say(match, "0: draw")
    say(match, "0: keep")
    assert turn_of(match, 1)


@rule("start_side", edition=ACTING)
def test_with_an_opening_dark_reverse_the_dealer_plays_first_and_play_goes_right(edition: str) -> None:
    match = dark(edition, "PR")
    assert turn_of(match, 0)
    assert match.view(None).direction == -1


@rule("start_side", edition=ACTING)
def test_with_an_opening_dark_wild_the_left_of_the_dealer_calls_the_color(edition: str) -> None:
    match = dark(edition, "W")
    assert (phase(match), match.to_act) == ("color", 1)
    assert may_say(match, 1) == DARK_CALLS
    say(match, "1: color T")
    assert turn_of(match, 1)
    assert color(match) == "T"


@rule("start_side", edition=ACTING)
@pytest.mark.parametrize("top", ["W+C", "PF"])
def test_an_opening_wild_draw_color_or_dark_flip_goes_back(edition: str, top: str) -> None:
    match = dark(edition, top)
    assert names(match.history[0].dealt)[4:7] == ["turned_up", "returned", "turned_up"]
    assert len(discard_pile(match)) == 1
    assert match.round.side.value == "dark"
    assert match.view(None).top.symbol.value not in {"W+C", "F"}


@rule("start_side", "opening_flip", edition=ACTING)
def test_an_opening_dark_flip_can_turn_everything_to_light(edition: str) -> None:
    match = dark(edition, "W/PF", opening_flip="apply")
    assert match.round.side.value == "light"
    assert (phase(match), match.to_act) == ("color", 1)
    say(match, "1: color G")
    assert turn_of(match, 1)


@rule("start_side", "OPEN-7", edition="mild-wild")
@pytest.mark.parametrize("top", ["P+5", "PR", "PE", "PF", "W", "W+C"])
def test_an_opening_action_of_the_dark_side_is_ignored(edition: str, top: str) -> None:
    match = dark(edition, top)
    assert [card.split("/")[1] for card in discard_pile(match)] == ["O1", top]
    assert sizes(match) == [2, 2, 2, 2]
    assert turn_of(match, 1)
    assert match.round.side.value == "dark"


# ---------------------------------------------------------------- options in general
@rule("stacking", "hand_size", "start_side", "scoring")
@pytest.mark.parametrize(
    ("name", "value"),
    [("stacking", "sometimes"), ("hand_size", "seven"), ("start_side", "left"), ("scoring", "best"), ("stack", True)],
)
def test_an_option_or_a_value_that_does_not_exist_is_refused(edition: str, name: str, value: object) -> None:
    with pytest.raises(Refusal) as refusal:
        Match(edition, 3, seed="no", options={name: value})
    assert refusal.value.code == "bad-option"
    assert name in str(refusal.value)
