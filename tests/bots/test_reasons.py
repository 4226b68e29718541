"""Reasons for and against moves: true at tables laid for them, in words of every language."""

from __future__ import annotations

from typing import Any

import pytest

from flipdeck.bots.belief.memory import Memory
from flipdeck.bots.random_bot import RandomBot
from flipdeck.bots.reasons import KINDS, Reasons, percent
from flipdeck.bots.sight import Sight
from flipdeck.core.cards import Seat
from flipdeck.core.match import Match
from flipdeck.core.notation import Move
from flipdeck.i18n import LANGUAGES, catalogue
from flipdeck.i18n.reasons import sentence
from tests.bots.printed_hands import printed
from tests.bots.seats import seated
from tests.tables import draw_down, full_move, say, table

PLAIN = "G1 G2 G3"  # nothing that matters


def told(match: Match, move: str | None, seat: int | None = None, *, remembers: bool = True) -> dict[str, object]:
    """The reason of a move, as JSON; the seat is the one on turn, and has seen everything from the deal on."""
    who = match.to_act if seat is None else seat
    assert who is not None
    memory = seated(match, RandomBot(), who).memory if remembers else fresh(match, who)
    wanted = None if move is None else Move.parse(full_move(match, who, move))
    return dict(Reasons(match.view(who), memory).why(wanted).to_dict())


def fresh(match: Match, seat: int) -> Memory:
    view = match.view(seat)
    assert view.you is not None
    memory = Memory(match.options, match.players, view.you)
    memory.see((), view)
    return memory


# ---------------------------------------------------------------- reasons of plays
def test_the_last_card_goes_out() -> None:
    assert told(table(["R7", "G5"], top="R5"), "R7") == {"kind": "goes_out"}


def test_uno_is_due() -> None:
    match = table(["R7 B2", "G5 G6"], top="R5", uno_penalty=4)
    assert told(match, "R7") == {"kind": "say_uno", "draws": 4}
    assert told(match, "R7!")["kind"] != "say_uno"


def test_a_bluff_and_how_it_looks_from_outside() -> None:
    match = table(["W+2 R2 R3", "G4 G5 G6"], top="R5")
    looks = percent(1 - (1 - 26 / 112) ** 2)
    assert told(match, "W+2=G") == {"kind": "bluff", "n": 2, "color": "R", "percent": looks}


def test_with_printed_cards_the_backs_tell_a_bluff() -> None:
    # behind VE there is always B1; behind T1 there is Y2 or BS
    for other, looks in (("B1", 100), ("BS/T1", 50)):
        match = printed(f"W+2 {other}", "G4 G5", top="B8")
        assert told(match, "W+2=G!") == {"kind": "bluff", "n": 1, "color": "B", "percent": looks}


def test_another_wild_is_a_bluff_where_the_house_says_so() -> None:
    hands = ["W+2 W G9", "G4 G5 G6"]
    assert told(table(hands, top="R5", wilds_match_in_challenge=True), "W+2=G") == {"kind": "bluff_wild"}
    assert told(table(hands, top="R5"), "W+2=G")["kind"] == "draws"


@pytest.mark.parametrize(
    ("card", "options", "expected"),
    [
        ("R+1", {}, {"kind": "draws", "seat": 1, "hand": 3, "draws": 1}),
        ("R+1", {"stacking": True}, {"kind": "must_answer", "seat": 1, "hand": 3}),
        ("W+2=G", {}, {"kind": "draws", "seat": 1, "hand": 3, "draws": 2}),
        ("RS", {}, {"kind": "stops", "seat": 1, "hand": 3}),
    ],
)
def test_who_has_to_draw_or_misses_a_turn(card: str, options: dict[str, Any], expected: dict[str, object]) -> None:
    match = table([f"{card.partition('=')[0]} G8 G9", PLAIN, "B1 B2 B3"], top="R5", **options)
    assert told(match, card) == expected


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        ("P+5", {"kind": "draws", "seat": 1, "hand": 3, "draws": 5}),
        ("W+C=T", {"kind": "draws_until", "seat": 1, "hand": 3, "color": "T"}),
        ("PE", {"kind": "again"}),
    ],
)
def test_the_dark_side_is_harder(card: str, expected: dict[str, object]) -> None:
    match = table([f"{card.partition('=')[0]} T8 T9", "T1 T2 T3", "V1 V2 V3"], top="P5", start_side="dark")
    assert told(match, card) == expected


def test_with_two_players_a_reverse_stops_the_other() -> None:
    hands = ["RR G8 G9", PLAIN]
    assert told(table(hands, top="R5"), "RR") == {"kind": "stops", "seat": 1, "hand": 3}
    assert told(table(hands, top="R5", two_player_reverse="turn"), "RR")["kind"] != "stops"


def test_a_reverse_turns_away_from_who_has_fewer_cards() -> None:
    match = table(["B1 B2 B3", "RR G8 G9", "Y1 Y2 Y3"], top="R5", draw="B9")
    say(match, "0: draw", "0: keep")
    assert told(match, "RR") == {"kind": "turns_away", "seat": 2, "hand": 3}


def test_a_stack_is_passed_on() -> None:
    match = table(["R+1 G8 G9", "G+1 G2 G3", "Y1 Y2 Y3"], top="R5", stacking=True)
    say(match, "0: R+1")
    assert told(match, "G+1") == {"kind": "passes_on", "seat": 2, "n": 2}


def test_a_wild_is_wasted_where_something_else_fits() -> None:
    assert told(table(["W R2 B5 G9", "B1 B2 B3 B4"], top="R5"), "W=G") == {"kind": "wastes_wild", "n": 2}


def test_what_a_card_leaves() -> None:
    match = table(["R7 R2 B7 G1 W", "B1 B2 B3 B4 B6"], top="R5")
    assert told(match, "R7") == {"kind": "leaves", "count": 3, "of": 4}  # red, a seven, a wild
    match = table(["W G1 G2 B3", "B1 B2 B4 B6"], top="R5")
    assert told(match, "W=G") == {"kind": "leaves", "count": 2, "of": 3}
    assert told(match, "W=Y") == {"kind": "leaves_none"}


# ---------------------------------------------------------------- who can follow
def test_who_can_not_follow_is_told_by_the_backs() -> None:
    match = printed("G7/O6 Y3 Y4", "B1 Y2/T8 Y8/P1", top="G5")
    # VE is the back of B1 alone, T8 of Y2 and Y5, P1 of Y8 and Y+1
    assert told(match, "G7") == {"kind": "cant_follow", "seat": 1, "color": "G", "out": 3, "of": 3}


def test_who_can_hardly_follow_is_told_by_the_backs_and_the_odds() -> None:
    match = printed("R7 Y3 Y4", "B1 Y2/T8 BR/W", top="R8")
    # W is the back of RS, Y1, YR and BR
    expected = {"kind": "hardly_follows", "seat": 1, "color": "R", "out": 2, "of": 3, "percent": 25}
    assert told(match, "R7") == expected


def test_who_seldom_follows_is_told_by_the_odds() -> None:
    match = table(["G8 R3", "R7 B2"], top="R5", draw="G9")
    say(match, "0: draw", "0: keep", "1: R7!")
    reason = told(match, "R3")
    assert {**reason, "percent": 0} == {"kind": "seldom_follows", "seat": 1, "color": "R", "percent": 0}
    assert isinstance(reason["percent"], int)
    assert 30 <= reason["percent"] <= 40  # red, a three, a wild: some 40 of 106 cards


def test_who_drew_by_choice_is_not_said_to_be_unable_to_follow() -> None:
    """Whoever draws has hardly anything to play, and may have all the same."""
    match = table(["R7 R8 B2", "R3/T4 R4/T5 R6/T6"], top="R5", draw="G9/T7", dealer=0)
    memory = Memory(match.options, 2, Seat(0))
    memory.see(match.seen(match.history[-1].dealt, 0), match.view(0))
    for line in ("1: draw", "1: keep"):
        say(match, line)
        memory.see(match.seen(match.history[-1].said[-1].events, 0), match.view(0))
    chance, out = Sight(memory).can_follow(1, 0, 7)
    assert 0 < chance < 1
    assert out == 0, "G9 fits no red, and nobody knows that it is G9"


def test_who_is_about_to_go_out_and_can_follow_is_a_warning() -> None:
    match = printed("G7/O6 Y3", "G4/T9 G8/PR", top="G5")
    # T9 and PR are the backs of green cards alone
    assert told(match, "G7!") == {"kind": "opens", "seat": 1, "color": "G", "hand": 2, "percent": 100}


def test_after_a_reverse_another_follows() -> None:
    match = printed("YR/TF Y3 R3", "Y8/P1 Y2/T8 G8/PR", "B1 B1 G4/T9", top="Y6")
    assert told(match, "YR") == {"kind": "cant_follow", "seat": 2, "color": "Y", "out": 3, "of": 3}
    assert told(match, "Y3") == {"kind": "leaves", "count": 2, "of": 2}


# ---------------------------------------------------------------- flips
def test_a_flip_shows_who_could_follow_it() -> None:
    match = table(["RF/P1 R9/T2 R8/V5 B1/P2", "G1/T1 G2/P9 G3/P8 G4/O7"], top="R5/T5")
    expected = {"kind": "flips", "face": "T5", "mine": 2, "of": 3, "seat": 1, "theirs": 1, "cards": 4}
    assert told(match, "RF") == expected


def test_a_flip_to_a_wild_lets_somebody_call_the_color() -> None:
    hands = ["RF/P1 R9/T2", "G1/T1 G2/P9"]
    assert told(table(hands, top="R5/W"), "RF!") == {"kind": "flips_wild"}
    match = table(hands, top="R5/W", wild_after_flip_to_dark="next")
    assert told(match, "RF!") == {"kind": "flips_wild_next", "seat": 1}


def test_who_comes_late_does_not_know_what_a_flip_turns_up() -> None:
    match = table(["R7/T1 G8/PE G9/W", "RF/P1 B2/VF B3/T4"], top="R5")
    say(match, "0: R7")
    assert told(match, "RF", remembers=False) == {"kind": "flips_unseen", "seat": 0, "theirs": 2, "mine": 1}
    assert told(match, "RF")["kind"] == "flips"


def test_own_backs_that_are_hidden_are_not_told() -> None:
    match = table(["RF/P1 R9/T2", "G1/T1 G2/P9"], top="R5/T5", own_backs="hidden")
    assert told(match, "RF!") == {"kind": "flips_theirs", "face": "T5", "seat": 1, "theirs": 1, "cards": 2}
    assert told(match, "RF!", remembers=False) == {"kind": "flips_unseen_theirs", "seat": 1, "theirs": 0}


# ---------------------------------------------------------------- reasons of all else
def test_why_to_draw() -> None:
    assert told(table(["G8 B9", "B1 B2"], top="R5"), "draw") == {"kind": "draw_nothing"}
    assert told(table(["G8 W", "B1 B2"], top="R5"), "draw") == {"kind": "draw_saves_wild"}
    assert told(table(["G5 R2 W", "B1 B2 B3"], top="R5"), "draw") == {"kind": "draw_instead", "n": 2}


def test_with_nothing_left_to_draw_a_draw_is_a_pass() -> None:
    match = table(["G8 B9", "B1 B2"], top="R5")
    draw_down(match, 0)
    assert told(match, "draw", remembers=False) == {"kind": "draw_none_left"}


@pytest.mark.parametrize(("card", "kind"), [("R9", "keep"), ("W", "keep_wild"), ("G9", "keep_unfit")])
def test_why_to_keep(card: str, kind: str) -> None:
    match = table(["B2 B3", "G5 G6"], top="R5", draw=card)
    say(match, "0: draw")
    assert told(match, "keep") == {"kind": kind}


@pytest.mark.parametrize(
    ("top", "held", "expected"),
    [
        ("B8", "B1", {"kind": "challenge_sure", "color": "B"}),  # behind VE there is always B1
        ("R8", "Y2/T8", {"kind": "challenge_vain", "color": "R", "draws": 2}),  # behind T8, Y2 or Y5
        ("B8", "BS/T1", {"kind": "challenge", "color": "B", "percent": 11, "draws": 2}),  # Y2 as likely as BS
    ],
)
def test_how_likely_a_bluff_was(top: str, held: str, expected: dict[str, object]) -> None:
    match = printed(f"W+2 {held}", "G4 G5", top=top)
    say(match, "0: W+2=G!")
    assert told(match, "challenge") == {"seat": 0, **expected}
    assert told(match, "challenge", remembers=False) == {"kind": "challenge_unseen", "seat": 0}
    assert told(match, "accept") == {"kind": "accept", "draws": 2}


def test_what_it_costs_to_accept() -> None:
    match = table(["R+1 G8 G9", "G+1 G2 G3", "Y1 Y2 Y3"], top="R5", stacking=True)
    say(match, "0: R+1", "1: G+1")
    assert told(match, "accept") == {"kind": "accept", "draws": 2}
    match = table(["W+C T8 T9", "T1 T2 T3"], top="P5", start_side="dark")
    say(match, "0: W+C=T")
    assert told(match, "accept") == {"kind": "accept_until", "color": "T", "n": 1}


def test_the_color_that_the_hand_can_follow() -> None:
    match = table(["B2 B3 G1", "Y1 Y2 Y3"], top="W")
    assert told(match, "color B") == {"kind": "calls", "color": "B", "count": 2, "of": 3}
    assert told(match, "color R") == {"kind": "calls", "color": "R", "count": 0, "of": 3}


def test_who_flips_to_a_wild_calls_what_the_next_can_not_follow() -> None:
    match = printed("YF/O8 Y2/T1", "B1 B1", top="Y1/W")
    say(match, "0: YF!")
    assert told(match, "color T") == {"kind": "cant_follow", "seat": 1, "color": "T", "out": 2, "of": 2}
    assert told(match, "color V") == {"kind": "opens", "seat": 1, "color": "V", "hand": 2, "percent": 100}


def test_words_out_of_turn() -> None:
    match = table(["R7 B2", "G5 G6", "Y1 Y2"], top="R5", uno_penalty=3, false_catch_penalty=2)
    say(match, "0: R7")
    assert told(match, "uno", 0) == {"kind": "uno_late", "draws": 3}
    assert told(match, "catch 0", 2) == {"kind": "catch", "seat": 0, "draws": 3}
    assert told(match, "catch 1", 2) == {"kind": "catch_vain", "seat": 1, "draws": 2}
    assert told(match, None, 2) == {"kind": "lets_go"}


def test_jumping_in() -> None:
    match = table(["R7/P1 B3 B4", "R7/O2 G6 G7", "G1 G2 G3"], top="R5", dealer=0, jump_in=True)
    say(match, "1: R7/O2")
    assert told(match, "R7/P1", 0) == {"kind": "jumps_in"}


# ---------------------------------------------------------------- words
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_reason_has_words(language: str) -> None:
    keys = {key for key in catalogue(language).entries if key.startswith("hint.")}
    assert {key.split(".")[1] for key in keys} == set(KINDS)
    assert len(set(KINDS)) == len(KINDS)


def test_a_reason_names_players_colors_and_faces() -> None:
    reason = {"kind": "flips", "face": "T5", "mine": 2, "of": 3, "seat": 1, "theirs": 1, "cards": 4}
    assert sentence(catalogue("en"), reason, ["Ada", "Ben"]) == (
        "It turns up teal 5: of your other cards, 2 of 3 could follow it; of those of Ben, 1 of 4."
    )
    assert sentence(catalogue("es-AR"), reason).startswith("Descubre un 5 turquesa: ")
    stops = {"kind": "stops", "seat": 1, "hand": 1}
    assert sentence(catalogue("en"), stops) == "Seat 1, who has 1 card, misses a turn."
