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
from tests.tables import table

STATE = "edition side direction phase to_act color top dealer hands draw discard catchable round scores winners owed"
VIEW = (
    "side direction phase to_act color top draw_back draw_count discard_count catchable scores round dealer owed "
    "winners laid_open you others hand legal drawn"
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


@pytest.mark.parametrize("edition", ["classic", "mild-wild"])
def test_new_tells_the_events_of_the_deal(edition: str) -> None:
    answer = ask(Referee(), op="new", edition=edition, players=3, seed="abc")
    assert list(answer) == ["ok", "events", "state"]
    names = [event["event"] for event in answer["events"]]
    assert ("dealer_card" in names) == (edition == "classic")
    assert names.count("dealer_chosen") == 1
    hands = {event["seat"]: event["cards"] for event in answer["events"] if event["event"] == "dealt"}
    assert [hands[seat] for seat in range(3)] == [hand[:7] for hand in answer["state"]["hands"]]
    shown = [event["card"] for event in answer["events"] if event["event"] == "turned_up"]
    assert shown[-1] == answer["state"]["top"]


def test_next_round_tells_the_events_of_its_deal(referee: Referee) -> None:
    answer = ask(referee, op="new", players=2, dealer=0, seed="next", options={"hand_size": 1, "target": 1_000_000})
    while answer["state"]["phase"] != "round-over":
        seat = answer["state"]["to_act"]
        answer = ask(referee, op="move", seat=seat, move=ask(referee, op="legal", seat=seat)["moves"][0])
    assert "laid_open" in [event["event"] for event in answer["events"]]
    answer = ask(referee, op="next-round")
    assert [event["event"] for event in answer["events"]][:3] == ["dealt", "dealt", "turned_up"]
    hands = {event["seat"]: event["cards"] for event in answer["events"] if event["event"] == "dealt"}
    assert all(answer["state"]["hands"][seat][:1] == hands[seat] for seat in (0, 1))


def test_what_is_owed_is_in_the_state_and_in_every_view() -> None:
    match = table(["R+1 B3", "G+1 G7", "Y2 Y3"], top="R5", stacking=True)
    referee = Referee()
    referee._match = match
    assert ask(referee, op="view", seat=1)["view"]["owed"] == 0
    for owed, seat in enumerate((0, 1), start=1):
        card = ask(referee, op="view", seat=seat)["view"]["hand"][0]
        answer = ask(referee, op="move", seat=seat, move=f"{card}!")
        assert answer["ok"], answer
        assert answer["state"]["owed"] == owed
        assert [ask(referee, op="view", seat=each)["view"]["owed"] for each in (0, 1, 2, None)] == [owed] * 4
    assert ask(referee, op="move", seat=2, move="accept")["state"]["owed"] == 0


def test_the_drawn_card_is_named_to_its_owner_alone_and_the_hands_to_all_at_the_end() -> None:
    referee = Referee()
    referee._match = table(["R7/O1", "G5/T4"], top="B5", draw="B9/P9", scoring="points")
    answer = ask(referee, op="move", seat=0, move="draw")
    assert answer["state"]["phase"] == "drawn"
    assert [ask(referee, op="view", seat=each)["view"]["drawn"] for each in (0, 1, None)] == ["B9/P9", None, None]
    assert ask(referee, op="view", seat=1)["view"]["laid_open"] is None
    ask(referee, op="move", seat=0, move="keep")
    assert ask(referee, op="move", seat=1, move="G5/T4")["state"]["phase"] == "round-over"
    for each in (0, 1, None):
        view = ask(referee, op="view", seat=each)["view"]
        assert view["laid_open"] == [["R7/O1", "B9/P9"], []]
        assert view["drawn"] is None


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
        (b'{"op":"new","players":2,"options":{"deck":"mini"}}', "bad-option"),
        (b'{"op":"new","options":{"deck":"mini","hand_size":2,"most_moves":9}}', "bad-option"),
        (b'{"op":"new","options":{"most_moves":1000001}}', "bad-option"),
        (b'{"op":"new","options":{"opening_ignored":true}}', "bad-option"),
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
