"""The referee: JSON lines in, JSON lines out, and no line that makes it stumble."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flipdeck.cli.referee import CODES, MAX_LINE, Referee
from flipdeck.core import errors
from flipdeck.core.record import parse
from tests.patience import HANG

STATE = "edition side direction phase to_act color top dealer hands draw discard catchable round scores winners"
VIEW = (
    "side direction phase to_act color top draw_back draw_count discard_count catchable scores round dealer owed "
    "winners you others hand legal"
)


def ask(referee: Referee, **request: Any) -> Any:
    return json.loads(json.dumps(referee.answer(json.dumps(request).encode())))


@pytest.fixture
def referee() -> Referee:
    referee = Referee()
    assert ask(referee, op="new", edition="classic", players=3, dealer=0, seed="abc")["ok"]
    return referee


def state_of(referee: Referee) -> Any:
    match = referee._now()
    return match.secret_state(), match.record()


def run_as_program(lines: bytes) -> list[Any]:
    done = subprocess.run(
        [sys.executable, "-m", "flipdeck", "referee"], input=lines, capture_output=True, timeout=HANG, check=True
    )
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_every_field_of_new_but_op_has_a_default() -> None:
    answer = ask(Referee(), op="new")
    assert answer["ok"]
    assert answer["state"]["edition"] == "classic"
    assert len(answer["state"]["hands"]) == 4


def test_a_state_has_just_the_documented_fields(referee: Referee) -> None:
    answer = ask(referee, op="new", edition="mild-wild", players=5, seed="x", options={"scoring": "points"})
    assert " ".join(answer["state"]) == STATE
    assert list(answer["state"]["round"]) == ["number", "winner", "points"]


def test_a_view_has_just_the_documented_fields_for_a_seat_and_for_a_spectator(referee: Referee) -> None:
    seat, spectator = ask(referee, op="view", seat=1)["view"], ask(referee, op="view", seat=None)["view"]
    assert " ".join(seat) == " ".join(spectator) == VIEW
    assert spectator["you"] is None
    assert spectator["hand"] == spectator["legal"] == []
    assert [other["seat"] for other in spectator["others"]] == [0, 1, 2]


def test_the_same_seed_deals_the_same_match() -> None:
    first, second = Referee(), Referee()
    assert ask(first, op="new", seed="abc") == ask(second, op="new", seed="abc")
    assert ask(first, op="new", seed="abc") != ask(second, op="new", seed="abd")
    assert ask(first, op="new") != ask(second, op="new")


def test_a_given_deck_is_dealt_top_card_first(referee: Referee) -> None:
    state = ask(referee, op="new", players=2, dealer=0, seed="abc")["state"]
    one_by_one = [hand[i] for i in range(7) for hand in (state["hands"][1], state["hands"][0])]
    deck = [*one_by_one, *state["discard"], *state["draw"]]
    again = ask(Referee(), op="new", players=2, dealer=0, seed="other", deck=deck)["state"]
    assert again["hands"] == state["hands"]
    assert again["draw"] == state["draw"]


def test_a_move_is_answered_with_events_and_the_new_state(referee: Referee) -> None:
    to_act = referee._now().to_act
    moves = ask(referee, op="legal", seat=to_act)["moves"]
    assert "draw" in moves
    answer = ask(referee, op="move", seat=to_act, move="draw")
    assert list(answer) == ["ok", "events", "state"]
    assert answer["events"][0]["event"] == "drew"
    assert answer["events"][0]["card"] in answer["state"]["hands"][to_act or 0]


def test_a_whole_match_can_be_played_and_its_record_replays(referee: Referee) -> None:
    dice = random.Random(5)
    answer = ask(referee, op="new", players=3, seed="match", options={"target": 200, "stacking": "on"})
    for _ in range(20_000):
        state = answer["state"]
        if state["phase"] == "match-over":
            break
        if state["phase"] == "round-over":
            answer = ask(referee, op="next-round")
            continue
        moves = ask(referee, op="legal", seat=state["to_act"])["moves"]
        answer = ask(referee, op="move", seat=state["to_act"], move=dice.choice(moves))
        assert answer["ok"], answer
    assert answer["state"]["phase"] == "match-over"
    assert ask(referee, op="next-round")["error"] == "game-over"
    assert ask(referee, op="move", seat=0, move="draw")["error"] == "game-over"
    record = ask(referee, op="record")["record"]
    assert parse(record).secret_state() == answer["state"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"", "bad-json"),
        (b"\n", "bad-json"),
        (b"{", "bad-json"),
        (b"\xff\xfe", "bad-json"),
        (b"nope", "bad-json"),
        (b'{"op":"view","seat":NaN}', "bad-json"),
        (b'{"op":"view","seat":' + b"9" * 5000 + b"}", "bad-json"),
        (b"[" * 10_000, "bad-json"),
        (b'{"a":' * 10_000 + b"1" + b"}" * 10_000, "bad-json"),
        (b" " * (MAX_LINE + 1), "bad-request"),
        (b'{"op":"new","players":2,"players":3}', "bad-json"),
        (b'{"op":"view","' + b"x" * 900_000 + b'":1}', "bad-request"),
        (b'{"op":"move","seat":1,"move":"' + b"/" * 500_000 + b' "}', "bad-notation"),
        (b'{"op":"move","seat":1,"move":"' + b"a/" * 250_000 + b'="}', "bad-notation"),
        (b'{"op":"new","edition":"splash","options":{"deck":112.0}}', "bad-option"),
        (b"[]", "bad-request"),
        (b'"new"', "bad-request"),
        (b"{}", "bad-request"),
        (b'{"op":"fly"}', "bad-request"),
        (b'{"op":["new"]}', "bad-request"),
        (b'{"op":"view"}', "bad-request"),
        (b'{"op":"view","seat":3}', "bad-request"),
        (b'{"op":"view","seat":-1}', "bad-request"),
        (b'{"op":"view","seat":true}', "bad-request"),
        (b'{"op":"view","seat":"1"}', "bad-request"),
        (b'{"op":"view","seat":1,"more":2}', "bad-request"),
        (b'{"op":"legal"}', "bad-request"),
        (b'{"op":"move","seat":1}', "bad-request"),
        (b'{"op":"move","seat":1,"move":7}', "bad-request"),
        (b'{"op":"move","seat":1,"move":"R7"}', "bad-notation"),
        (b'{"op":"move","seat":1,"move":"\\ud800"}', "bad-notation"),
        (b'{"op":"move","seat":1,"move":"keep"}', "illegal-move"),
        (b'{"op":"move","seat":1,"move":"catch 1"}', "illegal-move"),
        (b'{"op":"move","seat":2,"move":"draw"}', "not-your-turn"),
        (b'{"op":"next-round"}', "bad-request"),
        (b'{"op":"record","seat":1}', "bad-request"),
        (b'{"op":"new","edition":"deluxe"}', "bad-option"),
        (b'{"op":"new","edition":[]}', "bad-option"),
        (b'{"op":"new","players":1}', "bad-option"),
        (b'{"op":"new","players":11}', "bad-option"),
        (b'{"op":"new","players":3.0}', "bad-option"),
        (b'{"op":"new","players":' + b"[" * 500 + b"]" * 500 + b"}", "bad-option"),
        (b'{"op":"new","dealer":4}', "bad-request"),
        (b'{"op":"new","options":[]}', "bad-request"),
        (b'{"op":"new","options":{"stackin":true}}', "bad-option"),
        (b'{"op":"new","options":{"stacking":1}}', "bad-option"),
        (b'{"op":"new","options":{"hand_size":11}}', "bad-option"),
        (b'{"op":"new","edition":"splash","players":10,"options":{"hand_size":10}}', "bad-option"),
        (b'{"op":"new","edition":"splash","options":{"pairing":"printed"}}', "bad-option"),
        (b'{"op":"new","seed":[1]}', "bad-request"),
        (b'{"op":"new","deck":"R7/O1"}', "bad-request"),
        (b'{"op":"new","deck":[7]}', "bad-request"),
        (b'{"op":"new","deck":[]}', "bad-deck"),
        (b'{"op":"new","deck":["R7/O1"]}', "bad-deck"),
        (b'{"op":"new","deck":["R0/O1"]}', "bad-notation"),
        (b'{"op":"new","deck":[' + b",".join([b'"R7/O1"'] * 112) + b"]}", "bad-deck"),
        (b'{"op":"new","deck":[' + b",".join([b'"R7/?"'] * 112) + b"]}", "bad-deck"),
    ],
)
def test_a_bad_line_gets_its_code_and_a_sentence_and_changes_nothing(referee: Referee, line: bytes, code: str) -> None:
    before = state_of(referee)
    answer = referee.answer(line)
    assert answer["ok"] is False
    assert answer["error"] == code
    assert isinstance(answer["message"], str)
    assert 10 < len(answer["message"]) < 600
    assert state_of(referee) == before


def test_everything_but_new_needs_a_match() -> None:
    for op in ("move", "legal", "view", "next-round", "record"):
        request = {"op": op} if op in ("next-round", "record") else {"op": op, "seat": 0}
        assert ask(Referee(), **request)["error"] == "no-match"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)
REQUESTS = st.fixed_dictionaries(
    {"op": st.sampled_from(["new", "move", "legal", "view", "next-round", "record"]) | JSON},
    optional=dict.fromkeys(("seat", "move", "edition", "players", "dealer", "options", "seed", "deck"), JSON),
)


@settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(REQUESTS)
def test_any_request_is_answered_in_json_with_a_known_code(request: Any) -> None:
    referee = Referee()
    referee.answer(b'{"op":"new","seed":"abc"}')
    answer = referee.answer(json.dumps(request).encode())
    json.dumps(answer, allow_nan=False)
    assert answer["ok"] is True or answer["error"] in known_codes()


def known_codes() -> set[str]:
    refusals: list[type[errors.Refusal]] = [errors.Refusal, *errors.Refusal.__subclasses__()]
    return {*CODES, *(refusal.code for refusal in refusals)}


def test_as_a_program_it_answers_line_by_line_until_the_end_of_input() -> None:
    lines = [b'{"op":"new","players":2,"seed":"abc"}', b"oops", b"[" * 10_000, b'{"op":"view","seat":0}']
    answers = run_as_program(b"\n".join(lines))  # the last line has no end
    assert [answer["ok"] for answer in answers] == [True, False, False, True]


def test_as_a_program_a_line_without_end_costs_one_answer_and_no_memory() -> None:
    answers = run_as_program(b"[1," * 3_000_000 + b"\n" + b'{"op":"new"}\n')
    assert [answer["ok"] for answer in answers] == [False, True]
