"""ACT-1 to ACT-5: what each card does when it is played."""

from __future__ import annotations

import pytest

from tests.observing import color, hand, names, sizes, told, turn_of
from tests.proofs import rule
from tests.tables import may_say, refused, say, table

SHOWN = ("splash", "argentina")
SILENT = ("classic", "mild-wild")


@rule("ACT-1")
@pytest.mark.parametrize(("side", "top", "card", "cards"), [("light", "R5", "R+1", 1), ("dark", "P5", "P+5", 5)])
def test_the_next_player_draws_one_or_five_and_misses_the_turn(
    edition: str, side: str, top: str, card: str, cards: int
) -> None:
    match = table([f"{card} ? ?"], top=top, players=3, edition=edition, start_side=side)
    events = say(match, f"0: {card}")
    assert sizes(match) == [2, 3 + cards, 3]
    assert turn_of(match, 2)
    assert names(events) == ["played"] + ["drew"] * cards + ["skipped"]


@rule("ACT-1")
def test_a_draw_one_cannot_be_challenged_or_passed_on(edition: str) -> None:
    match = table(["R+1 ? ?", "R+1 ? ?"], players=3, edition=edition)
    say(match, "0: R+1")
    assert len(hand(match, 1)) == 4
    assert refused(match, 2, "challenge") == "nothing-to-answer"


@rule("ACT-1")
def test_with_two_players_who_played_the_draw_one_plays_again(edition: str) -> None:
    match = table(["R+1 ? ?", "? ? ?"], edition=edition)
    say(match, "0: R+1")
    assert sizes(match) == [2, 4]
    assert turn_of(match, 0)


@rule("ACT-2")
@pytest.mark.parametrize(("players", "next_seat"), [(2, 0), (3, 2), (5, 2)])
def test_skip_makes_the_next_player_miss_the_turn(edition: str, players: int, next_seat: int) -> None:
    match = table(["RS ? ?"], players=players, edition=edition)
    events = say(match, "0: RS")
    assert turn_of(match, next_seat)
    assert [event.seat for event in told(events, "skipped")] == [1]
    assert sizes(match) == [2, *[3] * (players - 1)]


@rule("ACT-3")
@pytest.mark.parametrize(("side", "top", "card"), [("light", "R5", "RR"), ("dark", "P5", "PR")])
def test_reverse_turns_the_direction_of_play(edition: str, side: str, top: str, card: str) -> None:
    match = table([f"{card} ? ?", "? ? ?", f"{card} ? ?"], top=top, players=4, edition=edition, start_side=side)
    say(match, f"0: {card}")
    assert match.view(None).direction == -1
    assert turn_of(match, 3)
    say(match, "3: draw")
    say(match, "3: keep")
    say(match, f"2: {card}")
    assert match.view(None).direction == 1
    assert turn_of(match, 3)


@rule("ACT-3", "two_player_reverse")
@pytest.mark.parametrize(("side", "top", "card"), [("light", "R5", "RR"), ("dark", "P5", "PR")])
def test_with_two_players_reverse_acts_as_a_skip(edition: str, side: str, top: str, card: str) -> None:
    match = table([f"{card} ? ?", "? ? ?"], top=top, edition=edition, start_side=side)
    say(match, f"0: {card}")
    assert turn_of(match, 0)


@rule("ACT-3", "two_player_reverse")
def test_with_two_player_reverse_turn_the_other_one_plays(edition: str) -> None:
    match = table(["RR ? ?", "? ? ?"], edition=edition, two_player_reverse="turn")
    say(match, "0: RR")
    assert match.view(None).direction == -1
    assert turn_of(match, 1)


@rule("two_player_reverse")
@pytest.mark.parametrize("choice", ["skip", "turn"])
def test_two_player_reverse_changes_nothing_for_three(edition: str, choice: str) -> None:
    match = table(["RR ? ?"], players=3, edition=edition, two_player_reverse=choice)
    say(match, "0: RR")
    assert turn_of(match, 2)


@rule("ACT-4")
@pytest.mark.parametrize("players", [2, 3, 6])
def test_skip_everyone_gives_the_same_player_another_turn(edition: str, players: int) -> None:
    match = table(["PE ? ?"], top="P5", players=players, edition=edition, start_side="dark")
    say(match, "0: PE")
    assert turn_of(match, 0)
    assert match.view(None).direction == 1
    assert sizes(match) == [2, *[3] * (players - 1)]


@rule("ACT-5")
@pytest.mark.parametrize(("side", "top", "colors"), [("light", "R5", "RYGB"), ("dark", "P5", "POTV")])
def test_with_a_wild_any_color_of_the_side_in_play_is_called(edition: str, side: str, top: str, colors: str) -> None:
    for called in colors:
        match = table(["W ? ?"], top=top, players=3, edition=edition, start_side=side)
        assert {move for move in may_say(match, 0) if "=" in move} == {f"W={each}" for each in colors}
        say(match, f"0: W={called}")
        assert color(match) == called
        assert turn_of(match, 1)


@rule("ACT-5")
def test_a_wild_without_a_color_or_with_one_of_the_other_side_is_refused(edition: str) -> None:
    match = table(["W R1 R2", "?"], edition=edition)
    assert refused(match, 0, "W") == "color-needed"
    assert refused(match, 0, "W=P") == "color-needed"
    assert refused(match, 0, "R1=G") == "color-not-called"


@rule("ACT-5")
def test_a_wild_may_be_played_with_other_playable_cards_in_the_hand(edition: str) -> None:
    match = table(["W R1 R2", "?"], edition=edition)
    assert {"W=R", "R1", "R2", "draw"} <= may_say(match, 0)
