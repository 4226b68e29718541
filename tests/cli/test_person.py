"""A person at the table: what they are shown, what they can type, when they are asked."""

from __future__ import annotations

import io
import random
from collections.abc import Iterable, Mapping

import pytest

from flipdeck.bots.match_runner import MatchRunner, Participant
from flipdeck.cli.play import Keyboard
from flipdeck.cli.terminal.choices import choices_of
from flipdeck.cli.terminal.console import Console
from flipdeck.cli.terminal.narration import Teller
from flipdeck.cli.terminal.person import TerminalPlayer
from flipdeck.core.errors import Refusal
from flipdeck.core.events import Event
from flipdeck.core.match import Match
from flipdeck.core.notation import Move
from flipdeck.core.view import View
from flipdeck.i18n import catalogue
from tests.tables import table


# ---------------------------------------------------------------- what a person sees
def test_a_turn_shows_the_table_the_hand_and_the_choices() -> None:
    match = table(["R7/O1 W/P5 B2/T3", "G5/V1 G6/W G9/P9", "Y1/P1 Y2/P2 Y3/P3"], top="R5/T5", draw="Y9/V9")
    view = match.view(0)
    assert Teller(catalogue("en"), 0, ["Ada", "Ben", "Cleo"]).question(view, choices_of(view)) == [
        "Your turn.",
        "Light side. On top: red 5. Color: red. Play goes to the left.",
        "Ben (seat 1): 3 cards, showing purple 1, Wild, pink 9.",
        "Cleo (seat 2): 3 cards, showing pink 1, pink 2, pink 3.",
        "Draw pile: 102 cards, showing purple 9.",
        "You also hold blue 2 (teal 3).",
        "1. Play red 7 (orange 1)",
        "2. Play Wild (pink 5) and call a color",
        "3. Draw a card",
        "Choose 1 to 3, or help.",
    ]


def test_with_two_players_there_is_no_direction_to_tell() -> None:
    match = table(["R7 B2", "G5 G6"], top="R5", edition="mild-wild")
    lines = Teller(catalogue("en", "mild-wild"), 0, ["Ada", "Ben"]).table(match.view(0))
    assert lines[0] == "Mild side. On top: red 5. Color: red."
    assert lines[1].startswith("Ben (seat 1): 2 cards, showing ")


# ---------------------------------------------------------------- what a person types
class Sitting:
    """Ada, who has seat 0 and types these lines."""

    def __init__(self, match: Match, *lines: str) -> None:
        self._match = match
        self._told = io.StringIO()
        console = Console(io.StringIO("".join(f"{line}\n" for line in lines)), self._told)
        self._person = TerminalPlayer(console, Teller(catalogue("en"), 0, ["Ada", "Ben", "Cleo"]), self._why_not)

    def _why_not(self, move: Move) -> Refusal | None:
        return self._match.why_not(0, move)

    def choose(self) -> str:
        return str(self._person.choose(self._match.view(0)))

    @property
    def told(self) -> str:
        return self._told.getvalue()


HAND = ["R7/O1 W/P5 B2/T3", "G5 G6 G9"]


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("1", "R7/O1"),
        (" 1 ", "R7/O1"),
        ("R7/O1", "R7/O1"),
        ("r7/o1", "R7/O1"),
        ("3", "draw"),
        ("Draw", "draw"),
        ("2|3", "W/P5=G"),
        ("2|green", "W/P5=G"),
        ("2|g", "W/P5=G"),
        ("2=G", "W/P5=G"),
        ("2 = green", "W/P5=G"),
        ("2 B", "W/P5=B"),
        ("w/p5=b", "W/P5=B"),
    ],
)
def test_a_choice_can_be_typed_in_many_ways(typed: str, move: str) -> None:
    assert Sitting(table(HAND, top="R5"), *typed.split("|")).choose() == move


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("9", "There is no choice 9."),
        ("0", "There is no choice 0."),
        ("1!", "UNO is said with the play that leaves you one card; this play does not."),
        ("2=P", "P is not a color here."),
        ("1=G", "G is not a color here."),
        ("B2/T3", "B2/T3 does not match R5: the color in force is R."),
        ("G1/O2", "G1/O2 is not in the hand."),
        ("keep", "There is no drawn card to keep."),
        ("color g", "There is no color to call now."),
        ("catch 1", "Seat 1 can't be caught now: nothing happens."),
        ("abc", "'abc' is not a move"),
        ("x/y", "'X' is not a face"),
        ("1" * 500, "is not a move"),
        ("rules", "Say which rule, like rules FLIP-1."),
        ("rules XYZ-9", "There is no rule 'XYZ-9'."),
        ("rule flip-1", "FLIP-1, "),
        ("rules flip-3", "\nDecided: The sheet is silent here."),
        ("hand", "You hold red 7 (orange 1), Wild (pink 5) and blue 2 (teal 3)."),
        ("table", "Scores: you 0, Ben 0."),
        ("help", "R red, Y yellow, G green, B blue, P pink, O orange, T teal, V purple"),
        ("?", "Type the number of a choice."),
        ("2|x", "x is not a color here."),
        ("2|1!", "UNO is said with the play that leaves you one card"),
        ("2|hand|", "You hold red 7"),
        ("2|", "Which color? 1. red, 2. yellow, 3. green, 4. blue. Enter goes back."),
        ("", "Choose 1 to 3, or help."),
    ],
)
def test_what_is_no_move_is_answered_and_the_question_repeated(typed: str, sentence: str) -> None:
    done = "1" if typed.startswith("2|") and not typed.endswith("|") else "3"
    sitting = Sitting(table(HAND, top="R5"), *typed.split("|"), done)
    assert sitting.choose() == ("W/P5=R" if done == "1" else "draw")
    told = sitting.told
    assert sentence in told
    assert done == "1" or told.count("\n3. Draw a card\nChoose 1 to 3, or help.\n") == 2


@pytest.mark.parametrize(
    ("typed", "move"), [("1", "R7/O1"), ("1!", "R7/O1!"), ("2!|1", "W/P5=R!"), ("2=G!", "W/P5=G!")]
)
def test_uno_is_said_with_an_exclamation_mark(typed: str, move: str) -> None:
    sitting = Sitting(table(["R7/O1 W/P5", "G5 G6"], top="R5"), *typed.split("|"))
    assert sitting.choose() == move
    assert "Add ! to say UNO with the play, like 1!\n" in sitting.told


def test_the_drawn_card_can_be_played_or_kept() -> None:
    match = table(["B2 B3", "G5 G6"], top="R5", draw="R9/P9")
    match.say(0, "draw")
    sitting = Sitting(match, "2")
    assert sitting.choose() == "keep"
    assert "You can play the card you drew.\n" in sitting.told


def test_a_wild_draw_is_answered() -> None:
    match = table(["B2 B3", "W+2 G6"], top="R5", dealer=0)
    match.say(1, f"{match.view(1).hand[0]}=G")
    sitting = Sitting(match, "2")
    assert sitting.choose() == "challenge"
    told = sitting.told
    assert "Ben played Wild Draw Two on you.\n" in told
    assert "1. Accept: draw and miss your turn\n2. Challenge Ben\n" in told


def test_stacked_draw_cards_are_counted() -> None:
    match = table(["Y+1 B3 B4", "R+1 G6 G7", "G+1 G2 G3"], top="R5", dealer=0, stacking=True)
    match.say(1, str(match.view(1).hand[0]))
    match.say(2, str(match.view(2).hand[0]))
    sitting = Sitting(match, "2")
    assert sitting.choose() == "accept"
    assert "Cleo played green Draw One on you.\n2 draw cards wait for an answer.\n" in sitting.told


def test_an_opening_wild_asks_for_its_color() -> None:
    sitting = Sitting(table(["B2 B3", "G6 G7"], top="W"), "4")
    assert sitting.choose() == "color B"
    told = sitting.told
    assert "The wild on top needs a color.\n" in told
    assert "No color is called yet." in told


# ---------------------------------------------------------------- speaking out of turn
@pytest.mark.parametrize(("typed", "move"), [("1", "catch 1"), ("", "None"), ("catch 1", "catch 1")])
def test_a_person_may_catch_out_of_turn_or_let_it_go(typed: str, move: str) -> None:
    match = table(["B2 B3", "R7 G6", "G1 G2"], top="R5", dealer=0)
    match.say(1, str(match.view(1).hand[0]))
    sitting = Sitting(match, typed)
    assert sitting.choose() == move
    assert sitting.told.splitlines() == [
        "Ben has one card and did not say UNO.",
        "1. Catch Ben",
        "Choose a number, or press Enter to let it go.",
    ]


def test_a_person_may_say_uno_late() -> None:
    match = table(["R2/P1 B3", "R7 G6", "G1 G2"], top="R5")
    match.say(0, "R2/P1")
    sitting = Sitting(match, "1")
    assert sitting.choose() == "uno"
    assert "You have one card and did not say UNO.\n1. Say UNO!\n" in sitting.told


def test_a_person_may_jump_in() -> None:
    match = table(["R7/P1 B3 B4", "R7/O2 G6 G7", "G1 G2 G3"], top="R5", dealer=0, jump_in=True)
    match.say(1, "R7/O2")
    sitting = Sitting(match, "1")
    assert sitting.choose() == "R7/P1"
    assert "You hold the card that lies on top and can jump in.\n" in sitting.told


def test_catches_in_vain_are_no_choice_but_can_be_written_out() -> None:
    match = table(["B2 B3", "G5 G6"], top="R5", false_catch_penalty=2)
    assert [str(choice.moves[0]) for choice in choices_of(match.view(0))] == ["draw"]
    assert Sitting(match, "catch 1").choose() == "catch 1"


@pytest.mark.parametrize("dice", range(6))
def test_everybody_who_may_interrupt_is_asked_once_before_the_turn_goes_on(dice: int) -> None:
    match = table(["R7/P1 B3", "G5 G6", "G1 G2", "B5 B6"], top="R5")
    match.say(0, "R7/P1")
    asked: list[int] = []

    def player(view: View) -> Move | None:
        assert view.you is not None
        asked.append(view.you)
        return Move.parse("draw") if view.you == 1 else None

    assert next_move(match, dict.fromkeys(range(4), Keyboard(player)), dice)
    assert sorted(asked[:-1]) == [0, 2, 3]
    assert asked[-1] == 1


def test_nobody_is_asked_about_catches_in_vain() -> None:
    match = table(["R7/P1 B3 B4", "G5 G6 G7", "G1 G2 G3"], top="R5", false_catch_penalty=2)

    def nobody(view: View) -> Move | None:
        raise AssertionError(f"seat {view.you} is asked")

    seats = {0: Keyboard(lambda _: Move.parse("R7/P1")), 1: Keyboard(nobody), 2: Keyboard(nobody)}
    assert next_move(match, seats)


def test_a_seat_on_turn_that_says_nothing_is_a_broken_player() -> None:
    match = table(["R7 B3", "G5 G6"], top="R5")
    with pytest.raises(RuntimeError, match="seat 0 is on turn"):
        next_move(match, {0: Keyboard(lambda _: None), 1: Keyboard(lambda _: None)})


class OneMove(Exception):  # noqa: N818  # enough was seen
    pass


def next_move(match: Match, seats: Mapping[int, Participant], dice: int = 1) -> tuple[Event, ...]:
    """What the first move that a table hears of causes."""
    told: list[tuple[Event, ...]] = []

    def tell(events: Iterable[Event]) -> None:
        told.append(tuple(events))
        if len(told) == 2:  # the first is the deal
            raise OneMove

    with pytest.raises(OneMove):
        MatchRunner(match, seats, random.Random(dice), tell).play_round()
    return told[1]
