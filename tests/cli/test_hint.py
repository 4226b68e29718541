"""``flipdeck hint``: a view or a moment of a record goes in; every move, its chance and the reason come out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from flipdeck.core.match import Match
from flipdeck.i18n import LANGUAGES, catalogue
from flipdeck.i18n.reasons import sentence
from tests.cli.terminal import Terminal, terminal
from tests.tables import say, table

__all__ = ["terminal"]  # a fixture

QUICK = ("--seconds", "0.02")
HANDS = ["R7/O1 W/P5 B2/T3", "G5/V1 G6/W G9/P9"]
RULES = ("--option", "hand_size=3")


@pytest.fixture(autouse=True)
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said on a machine where nothing is compiled yet has a test of its own."""
    monkeypatch.setattr("flipdeck.bulk.searching.is_compiled", lambda: True)


def view_of(match: Match, seat: int | None = 0) -> str:
    return json.dumps(match.view(seat).to_dict())


def recorded(match: Match, tmp_path: Path) -> str:
    file = tmp_path / "match.txt"
    file.write_text(match.record(), encoding="utf-8")
    return str(file)


# ---------------------------------------------------------------- views
def test_a_view_is_answered_with_its_table_and_a_line_a_move(terminal: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "view.json"
    file.write_text(view_of(table(HANDS, top="R5/T5", draw="Y9/V9")), encoding="utf-8")
    ran = terminal("hint", str(file), *RULES, *QUICK, "--lang", "en")
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[:5] == [
        "Light side. On top: red 5. Color: red.",
        "Ben (seat 1): 3 cards, showing purple 1, Wild, pink 9.",
        "Draw pile: 105 cards, showing purple 9.",
        "You hold red 7 (orange 1), Wild (pink 5) and blue 2 (teal 3).",
        "",
    ]
    assert re.fullmatch(r"  chance  move +why", ran.lines[5])
    rows = [re.fullmatch(r"  +(\d+) %  (\S+) +(\S.*\.)", line) for line in ran.lines[6:]]
    assert {row[2] for row in rows if row} == {"R7/O1", "W/P5=R", "W/P5=Y", "W/P5=G", "W/P5=B", "draw"}
    chances = [int(row[1]) for row in rows if row]
    assert len(chances) == 6
    assert chances == sorted(chances, reverse=True)
    assert "1 other card fits; a wild is worth keeping." in ran.out


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_speaks_the_language_that_is_asked_for(terminal: Terminal, language: str) -> None:
    ran = terminal("hint", "-", *RULES, *QUICK, "--lang", language, typed=view_of(table(HANDS, top="R5")))
    words = catalogue(language)
    assert words.text("hinting.why") in ran.out
    assert sentence(words, {"kind": "wastes_wild", "n": 1}) in ran.out


def test_the_answer_of_the_referee_can_be_piped_in(terminal: Terminal) -> None:
    asked = [{"op": "new", "players": 3, "seed": "abc", "options": {"stacking": True}, "dealer": 0},
             {"op": "view", "seat": 1}]  # fmt: skip
    answers = terminal("referee", typed="".join(f"{json.dumps(line)}\n" for line in asked)).lines
    ran = terminal("hint", "-", "--option", "stacking=on", "--json", *QUICK, typed=answers[1])
    moves = [hint["move"] for hint in json.loads(ran.out)["hints"]]
    assert sorted(moves) == sorted(json.loads(answers[1])["view"]["legal"])


def test_json_is_one_object_with_reasons_as_data_and_in_words(terminal: Terminal) -> None:
    arguments = ("hint", "-", *RULES, "--json", "--lang", "es", *QUICK)
    ran = terminal(*arguments, typed=view_of(table(HANDS, top="R5")))
    told: dict[str, Any] = json.loads(ran.out)
    assert ran.out.count("\n") == 1
    assert {name: told[name] for name in ("seat", "round", "move", "played")} == {
        "seat": 0, "round": 1, "move": None, "played": None,
    }  # fmt: skip
    for hint in told["hints"]:
        assert set(hint) == {"move", "chance", "worlds", "reason", "words"}
        assert 0 <= hint["chance"] <= 1
        assert hint["worlds"] > 0
        assert hint["words"] == sentence(catalogue("es"), hint["reason"])


def test_out_of_turn_saying_nothing_is_a_choice(terminal: Terminal) -> None:
    match = table(["B2 B3", "R7 G6", "G1 G2"], top="R5", dealer=0)
    say(match, "1: R7")
    options = ("--option", "hand_size=2")
    ran = terminal("hint", "-", *options, *QUICK, "--lang", "en", typed=view_of(match))
    assert re.search(r"%  catch 1 +It costs nothing, and Ben draws 2 cards\.", ran.out)
    assert re.search(r"%  \(nothing\)  You say nothing, and play continues\.", ran.out)
    told = json.loads(terminal("hint", "-", *options, *QUICK, "--json", typed=view_of(match)).out)
    assert {hint["move"] for hint in told["hints"]} == {"catch 1", "pass"}


# ---------------------------------------------------------------- records
def played(**options: Any) -> Match:
    match = table(["W+2 R8 R9", "R7 B2 B4", "G1 G2 G3"], top="R5", draw="Y9", dealer=0, **options)
    say(match, "1: R7", "2: draw", "2: keep", "0: W+2=G")
    return match


def test_the_last_move_of_a_record_is_marked(terminal: Terminal, tmp_path: Path) -> None:
    ran = terminal("hint", "--record", recorded(played(), tmp_path), "--lang", "en", *QUICK)
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[0] == "Round 1, move 4: seat 0."
    assert ran.lines[-1] == "* was played."
    (marked,) = [line for line in ran.lines[:-1] if line.startswith("*")]
    assert re.fullmatch(r"\* +\d+ %  W\+2/\S+=G +A bluff: you hold 2 red cards, .*", marked)


def test_any_move_of_a_record_can_be_asked_for_and_any_seat(terminal: Terminal, tmp_path: Path) -> None:
    file = recorded(played(catch_window="while_one_card", false_catch_penalty=2), tmp_path)
    first = json.loads(terminal("hint", "--record", file, "--move", "1", "--json", *QUICK).out)
    assert (first["seat"], first["move"], first["played"][:2]) == (1, 1, "R7")
    other = json.loads(terminal("hint", "--record", file, "--move", "1", "--seat", "2", "--json", *QUICK).out)
    assert (other["seat"], other["played"]) == (2, None)
    assert {hint["move"] for hint in other["hints"]} == {"catch 0", "catch 1", "pass"}


def test_a_seat_of_a_record_remembers_what_it_saw(terminal: Terminal, tmp_path: Path) -> None:
    match = played()
    say(match, "1: accept")
    told = json.loads(terminal("hint", "--record", recorded(match, tmp_path), "--json", *QUICK).out)
    reasons = {hint["move"]: hint["reason"] for hint in told["hints"]}
    assert reasons["challenge"]["color"] == "R"  # in force before, which no view tells


def test_rounds_are_counted_through(terminal: Terminal, tmp_path: Path) -> None:
    match = Match("splash", 2, seed="rounds", options={"hand_size": 2, "target": 60})
    while match.round.number < 3 or len(match.history[-1].said) < 2:
        if match.round.over:
            match.next_round()
        assert match.to_act is not None
        legal = [str(move) for move in match.legal(match.to_act)]
        match.say(match.to_act, next((move for move in legal if move.endswith("!")), legal[0]))
    last = sum(len(played.said) for played in match.history)
    told = json.loads(terminal("hint", "--record", recorded(match, tmp_path), "--json", *QUICK).out)
    assert (told["round"], told["move"]) == (3, last)
    assert told["played"] == str(match.history[-1].said[-1].move)


def test_the_same_position_gets_the_same_order(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flipdeck.bulk.available", lambda: False)
    first, second = (terminal("hint", "-", *RULES, typed=view_of(table(HANDS, top="R5"))) for _ in range(2))
    assert first == second


# ---------------------------------------------------------------- what is missing
@pytest.mark.parametrize("language", LANGUAGES)
def test_without_the_extra_there_are_no_chances_and_it_says_so_once(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setattr("flipdeck.bulk.available", lambda: False)
    ran = terminal("hint", "-", *RULES, "--lang", language, typed=view_of(table(HANDS, top="R5")))
    assert ran.code == 0
    assert ran.err == catalogue(language).text("hinting.no_chances", bot="regular") + "\n"
    assert re.search(r"\n  +–  R7/O1 ", ran.out)
    assert "%" not in ran.out


def test_where_nothing_is_compiled_it_says_why_it_waits(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flipdeck.bulk.searching.is_compiled", lambda: False)
    ran = terminal("hint", "-", *RULES, *QUICK, "--lang", "en", typed=view_of(table(HANDS, top="R5")))
    assert ran.code == 0
    assert ran.err == catalogue("en").text("hinting.compiling") + "\n"


# ---------------------------------------------------------------- what can't be
@pytest.mark.parametrize(
    ("arguments", "typed", "sentence"),
    [
        ("", "", "Name the file of a view, or a record with --record: one of the two."),
        ("- --record -", "", "Name the file of a view, or a record with --record"),
        ("- --move 1", "", "--move and --seat go with --record; --edition and --option go with a view."),
        ("- --seat 0", "", "--move and --seat go with --record"),
        ("--record - --option stacking=on", "", "--move and --seat go with --record"),
        ("--record - --edition classic", "", "--move and --seat go with --record"),
        ("- --seconds 0", "", "--seconds is a number above 0 and at most 60, not '0'."),
        ("- --seconds nan", "", "--seconds is a number above 0"),
        ("- --seconds soon", "", "--seconds is a number above 0"),
        ("- --seconds 61", "", "--seconds is a number above 0"),
        ("- --lang fr", "", "There is no language 'fr'"),
        ("- --edition nope", "", "There is no edition 'nope'"),
        ("- --option nope", "", "An option is written name=value"),
        ("- --option nope=1", "", "There is no option 'nope'"),
        ("/nowhere/at/all", "", "/nowhere/at/all can't be read: there is no such file or folder."),
        ("-", "", "This is not JSON: it can't be read at line 1, column 1."),
        ("- --lang es", "{", "Esto no es JSON: no se puede leer en la línea 1, columna 2."),
        ("-", "{}", "This is not a view: the field 'side' is missing."),
        ("-", b"\xff", "- is not a record: it is not text."),
        ("--record -", "{}", "- is not a valid record. Line 1: a record begins with 'flipdeck record 2', not '{}'."),
        ("--record - --lang es", "", "- no es un registro válido. Línea 1: "),
    ],
)
def test_what_can_not_be_is_refused_in_one_sentence(
    terminal: Terminal, arguments: str, typed: str | bytes, sentence: str
) -> None:
    ran = terminal("hint", *arguments.split(), typed=typed)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"flipdeck hint: {sentence}")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--move 0", "--move is a number from 1 to 4, not '0'."),
        ("--move 5", "--move is a number from 1 to 4, not '5'."),
        ("--move last", "--move is a number from 1 to 4, not 'last'."),
        ("--seat 3", "There is no seat 3: seats are 0 to 2."),
        ("--seat me", "There is no seat 'me'"),
        ("--seat 2", "Seat 2 has nothing to say here."),
        ("--seat 2 --lang es", "El asiento 2 no tiene nada que decir"),
    ],
)
def test_what_is_not_in_a_record_is_refused(terminal: Terminal, tmp_path: Path, arguments: str, sentence: str) -> None:
    ran = terminal("hint", "--record", recorded(played(), tmp_path), *arguments.split())
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"flipdeck hint: {sentence}")


def test_a_record_without_moves_and_a_spectator_have_nothing_to_ask(terminal: Terminal, tmp_path: Path) -> None:
    match = table(HANDS, top="R5")
    ran = terminal("hint", "--record", recorded(match, tmp_path), "--lang", "en")
    assert (ran.code, ran.err) == (2, "flipdeck hint: There is no move in this record.\n")
    ran = terminal("hint", "-", *RULES, typed=view_of(match, None))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("flipdeck hint: This is the view of a spectator")
