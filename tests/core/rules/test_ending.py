"""END-1 to END-8: going out, scoring, winning."""

from __future__ import annotations

from typing import Any

import pytest

from flipdeck import Match
from tests.observing import drawn_by, hand, names, phase, told
from tests.proofs import rule
from tests.tables import play_out, refused, say, table

SCORED_BY_DEFAULT = ("classic", "splash", "argentina")
LIGHT_VALUES = {"1": 1, "5": 5, "9": 9, "+1": 10, "R": 20, "S": 20, "F": 20}
DARK_VALUES = {"1": 1, "5": 5, "9": 9, "+5": 20, "R": 20, "E": 30, "F": 20}


def out(edition: str, *hands: str, last: str = "R1", **options: Any) -> Match:
    """Seat 0 has played its last card; scoring is by points unless it is said."""
    options = {"scoring": "points", "top": "R5", **options}
    match = table([last.partition("=")[0], *hands], edition=edition, **options)
    say(match, f"0: {last}")
    return match


@rule("END-1")
def test_the_round_ends_when_a_player_has_no_cards_left(edition: str) -> None:
    match = out(edition, "G1", "G2")
    assert match.round.over
    assert match.round.winner == 0
    assert match.to_act is None
    assert phase(match) == "round-over"
    assert hand(match, 0) == []
    for seat in range(3):
        assert match.legal(seat) == []
        assert refused(match, seat, "draw") == "round-over"


@rule("END-1")
def test_the_next_round_cannot_be_dealt_before(edition: str) -> None:
    match = table(["R1 G1", "G2 G3"], edition=edition, scoring="points")
    with pytest.raises(ValueError, match="The round is not over"):
        match.next_round()


@rule("END-2")
@pytest.mark.parametrize(
    ("side", "top", "last", "cards"),
    [("light", "R5", "R+1", 1), ("dark", "P5", "P+5", 5), ("light", "R5", "W+2=G", 2), ("dark", "P5", "W+C=T", 4)],
)
def test_after_a_last_card_that_makes_draw_the_next_player_draws_before_the_count(
    edition: str, side: str, top: str, last: str, cards: int
) -> None:
    draw = "Y1 Y2 Y3 Y4" if side == "light" else "P1 O2 V3 T4 P6"
    match = out(edition, "?", "?", last=last, top=top, draw=draw, start_side=side)
    assert match.round.over
    assert [len(hand(match, seat)) for seat in range(3)] == [0, 1 + cards, 1]
    worth = sum(int(card.split("/")[side == "dark"][1:]) for seat in (1, 2) for card in hand(match, seat))
    assert match.scores == (worth, 0, 0)


@rule("END-2")
@pytest.mark.parametrize("stacking", [True, False])
def test_there_is_no_challenge_after_the_last_card(edition: str, stacking: bool) -> None:
    match = table(["W+2", "W+2", "G2"], edition=edition, scoring="points", stacking=stacking)
    events = say(match, "0: W+2=G")
    assert drawn_by(events, 1) == 2
    assert match.round.winner == 0
    assert refused(match, 1, "challenge") == "round-over"


@rule("END-2")
def test_the_drawing_comes_before_the_score_is_told(edition: str) -> None:
    match = table(["R+1", "G1", "G2"], draw="Y9", edition=edition, scoring="points")
    assert names(say(match, "0: R+1")) == ["played", "drew", "skipped", "went_out", "laid_open", "laid_open", "scored"]
    assert match.scores == (12, 0, 0)


@rule("END-2")
@pytest.mark.parametrize("last", ["RS", "RR"])
def test_a_skip_or_reverse_as_the_last_card_just_ends_the_round(edition: str, last: str) -> None:
    match = out(edition, "G1", "G2", last=last)
    assert match.round.winner == 0
    assert match.scores == (3, 0, 0)


@rule("END-2")
def test_a_skip_everyone_as_the_last_card_just_ends_the_round(edition: str) -> None:
    match = out(edition, "T1", "T2", last="PE", top="P5", start_side="dark")
    assert match.round.winner == 0
    assert match.scores == (3, 0, 0)


@rule("END-2")
def test_with_two_players_the_other_one_pays_too(edition: str) -> None:
    match = out(edition, "G1", last="W+2=R", draw="Y8 Y9")
    assert match.scores == (18, 0)


@rule("END-3")
def test_a_flip_as_the_last_card_flips_everything_and_the_new_side_is_scored(edition: str) -> None:
    match = out(edition, "G1/VE", "G2/W+C", last="RF", top="R5/O5")
    assert match.round.side.value == "dark"
    assert match.scores == (90, 0, 0)


@rule("END-3")
def test_a_dark_flip_as_the_last_card_scores_the_light_side(edition: str) -> None:
    match = out(edition, "G1/VE", "G2/W+C", last="PF", top="R5/P5", start_side="dark")
    assert match.round.side.value == "light"
    assert match.scores == (3, 0, 0)


@rule("END-3")
def test_a_wild_on_top_after_the_last_flip_needs_no_color(edition: str) -> None:
    match = out(edition, "G1/P1", "G2/P2", last="RF", top="R5/W")
    assert phase(match) == "round-over"
    assert match.scores == (3, 0, 0)


@rule("END-4")
@pytest.mark.parametrize(("symbol", "worth"), LIGHT_VALUES.items())
def test_the_light_cards_have_their_values(edition: str, symbol: str, worth: int) -> None:
    for color in "RYGB":
        assert out(edition, f"{color}{symbol}", last="R2").scores == (worth, 0)


@rule("END-4")
@pytest.mark.parametrize(("symbol", "worth"), DARK_VALUES.items())
def test_the_dark_cards_have_their_values(edition: str, symbol: str, worth: int) -> None:
    for color in "POTV":
        assert out(edition, f"{color}{symbol}", last="P2", top="P5", start_side="dark").scores == (worth, 0)


@rule("END-4")
@pytest.mark.parametrize(
    ("side", "card", "worth"), [("light", "W", 40), ("dark", "W", 40), ("light", "W+2", 50), ("dark", "W+C", 60)]
)
def test_the_wilds_have_their_values(edition: str, side: str, card: str, worth: int) -> None:
    own = {"light": "R", "dark": "P"}[side]
    assert out(edition, card, last=f"{own}2", top=f"{own}5", start_side=side).scores == (worth, 0)


@rule("END-4")
def test_the_side_on_which_the_round_ended_is_counted(edition: str) -> None:
    assert out(edition, "G1/W+C", "G2/VE").scores == (3, 0, 0)
    dark = table(["RF/P1 R1/P2", "G1/W+C G3/VE"], top="R5/P5", edition=edition, scoring="points")
    say(dark, "0: RF!", "1: draw")
    say(dark, "1: keep")
    third = hand(dark, 1)[2].split("/")[1]
    say(dark, "0: P2")
    assert dark.scores == (60 + 30 + int(third[1:]), 0)


@rule("END-5", "scoring")
def test_who_went_out_scores_all_the_other_hands(edition: str) -> None:
    match = out(edition, "G9", "W", "BS")
    assert match.round.points == (69, 0, 0, 0)
    assert match.scores == (69, 0, 0, 0)
    assert match.winners == ()


@rule("END-5", "target")
def test_the_first_to_reach_the_target_wins_the_match(edition: str) -> None:
    for target, winners in ((68, (0,)), (69, (0,)), (70, ())):
        match = out(edition, "G9", "W", "BS", target=target)
        assert match.winners == winners
        assert match.over is bool(winners)
        assert phase(match) == ("match-over" if winners else "round-over")


@rule("END-5")
def test_points_add_up_over_the_rounds(edition: str) -> None:
    match = Match(edition, 3, seed="rounds", options={"scoring": "points", "target": 500})
    totals = [0, 0, 0]
    while not match.over:
        play_out(match)
        assert match.round.winner is not None
        assert [seat for seat, points in enumerate(match.round.points) if points] == [match.round.winner]
        totals = [total + points for total, points in zip(totals, match.round.points, strict=True)]
        assert match.scores == tuple(totals)
        if not match.over:
            assert max(totals) < 500
            match.next_round()
    assert max(totals) >= 500
    assert match.winners == (totals.index(max(totals)),) == (match.round.winner,)
    with pytest.raises(ValueError, match="The match is over"):
        match.next_round()


@rule("END-6", "scoring")
def test_with_lowest_everyone_is_charged_with_their_own_hand(edition: str) -> None:
    match = out(edition, "G9", "W", "BS", scoring="lowest")
    assert match.scores == match.round.points == (0, 9, 40, 20)
    assert match.winners == ()


@rule("END-6", "scoring", "target")
def test_with_lowest_the_lowest_total_wins_when_someone_reaches_the_target(edition: str) -> None:
    match = out(edition, "G9", "W", "BS", scoring="lowest", target=40)
    assert match.winners == (0,)
    assert told(match.history[-1].said[-1].events, "won")[0].winners == (0,)
    assert out(edition, "G9", "W", "BS", scoring="lowest", target=41).winners == ()


@rule("END-6")
def test_with_lowest_a_tie_shares_the_win(edition: str) -> None:
    """Later deals can't be laid, so matches are played until one ends in a tie."""
    for number in range(60):
        options = {"scoring": "lowest", "target": 100, "hand_size": 1}
        match = Match(edition, 10, seed=f"lowest {number}", options=options)
        play_out(match)
        while not match.over:
            assert max(match.scores) < 100
            match.next_round()
            play_out(match)
        assert max(match.scores) >= 100
        assert match.winners == tuple(s for s, total in enumerate(match.scores) if total == min(match.scores))
        if len(match.winners) > 1:
            return
    raise AssertionError("no tie among all these matches")


@rule("END-7", "scoring")
def test_with_quick_the_first_player_out_wins(edition: str) -> None:
    match = out(edition, "G9", "W", scoring="quick")
    assert match.over
    assert match.winners == (0,)
    assert match.scores == (0, 0, 0)
    assert phase(match) == "match-over"
    assert refused(match, 1, "draw") == "match-over"


@rule("END-8", "scoring", "target", edition=SCORED_BY_DEFAULT)
def test_the_standard_is_points_to_500(edition: str) -> None:
    match = table(["R1", "W"], edition=edition)
    assert (match.options.scoring, match.options.target) == ("points", 500)
    say(match, "0: R1")
    assert match.scores == (40, 0)
    assert not match.over


@rule("END-7", "END-8", "scoring", "target", edition="mild-wild")
def test_the_standard_is_the_quick_match(edition: str) -> None:
    match = table(["R1", "W"], edition=edition)
    assert (match.options.scoring, match.options.target) == ("quick", 500)
    say(match, "0: R1")
    assert match.winners == (0,)


@rule("END-8", "scoring", "target")
@pytest.mark.parametrize("scoring", ["points", "lowest", "quick"])
def test_every_way_to_score_and_any_target_is_offered(edition: str, scoring: str) -> None:
    match = Match(edition, 2, seed="offered", options={"scoring": scoring, "target": 250})
    assert (match.options.scoring, match.options.target) == (scoring, 250)


@rule("END-8", "target")
@pytest.mark.parametrize("target", [0, -1, "many"])
def test_a_target_that_makes_no_sense_is_refused(edition: str, target: object) -> None:
    with pytest.raises(ValueError, match="target is a whole number"):
        Match(edition, 2, seed="offered", options={"target": target})
