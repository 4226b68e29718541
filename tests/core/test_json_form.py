"""JSON that is derived from type hints: every type that a field can have, written, encoded and read back."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

import pytest

from flipdeck.core.cards import Card, Color, Face, Seat, Side
from flipdeck.core.errors import BadNotation
from flipdeck.core.json_form import Mismatch, encoder, fields_of, from_plain, to_plain
from flipdeck.core.notation import Move


@dataclass(frozen=True)
class Piece:
    seat: Seat
    face: Face


@dataclass(frozen=True)
class Whole:
    number: int
    seat: Annotated[Seat | None, "who it is"]
    side: Side
    color: Color | None
    step: Literal[1, -1]
    word: Literal["a", "b"]
    card: Card
    moves: tuple[Move, ...]
    parts: tuple[Piece, ...]
    part: Piece | None


FULL = Whole(
    number=-3,
    seat=Seat(2),
    side=Side.DARK,
    color=Color.PINK,
    step=-1,
    word="b",
    card=Card.parse("R7/?"),
    moves=(Move.parse("draw"), Move.parse("W/P5=G!")),
    parts=(Piece(Seat(0), Face.parse("W+C")), Piece(Seat(1), Face.parse("B+1"))),
    part=Piece(Seat(3), Face.parse("P5")),
)
BARE = Whole(0, None, Side.LIGHT, None, 1, "a", Card.parse("?/W"), (), (), None)
TOLD = {
    "number": -3,
    "seat": 2,
    "side": "dark",
    "color": "P",
    "step": -1,
    "word": "b",
    "card": "R7/?",
    "moves": ["draw", "W/P5=G!"],
    "parts": [{"seat": 0, "face": "W+C"}, {"seat": 1, "face": "B+1"}],
    "part": {"seat": 3, "face": "P5"},
}


def test_every_type_has_its_form_in_json() -> None:
    assert to_plain(FULL) == TOLD
    assert [to_plain(BARE)[name] for name in ("seat", "color", "moves", "part")] == [None, None, [], None]


@pytest.mark.parametrize("whole", [FULL, BARE])
def test_what_is_written_is_read_back_and_encoded_alike(whole: Whole) -> None:
    plain = to_plain(whole)
    assert from_plain(Whole, json.loads(json.dumps(plain))) == whole
    assert f"{{{encoder(Whole)(whole)}}}" == json.dumps(plain, separators=(",", ":"))


def test_the_types_in_json_and_the_sentences_are_known() -> None:
    fields = {each.name: each for each in fields_of(Whole)}
    assert fields["number"].form.hint is int
    assert (fields["seat"].form.hint, fields["seat"].note) == (int | None, "who it is")
    assert get_args(fields["side"].form.hint) == ("light", "dark")
    assert get_args(fields["step"].form.hint) == (1, -1)
    assert fields["moves"].form.hint == list[str]
    assert fields["parts"].form.hint == list[Piece]
    assert fields["number"].note == ""


NO_NUMBERS: list[object] = ["1", 1.0, True, None, []]
NO_SEATS: list[object] = ["2", False, {}]
NO_SIDES: list[object] = ["DARK", 1, None, []]
NO_STEPS: list[object] = [0, True, 1.0, "1"]
NO_MOVES: list[object] = ["draw", None, [7], {"draw": 1}]
NO_OBJECTS: list[object] = [{**TOLD, "more": 1}, {"number": 1}, [], None]
NO_PARTS: list[object] = [[[]], [{"seat": 1}], [{"seat": 1, "face": "W", "hand": []}]]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("number", odd) for odd in NO_NUMBERS),
        *(("seat", odd) for odd in NO_SEATS),
        *(("side", odd) for odd in NO_SIDES),
        *(("step", odd) for odd in NO_STEPS),
        ("word", "c"),
        ("card", 7),
        *(("moves", odd) for odd in NO_MOVES),
        *(("parts", odd) for odd in NO_PARTS),
        ("part", {"seat": None, "face": "W"}),
    ],
)
def test_what_is_of_another_type_is_refused(name: str, value: Any) -> None:
    with pytest.raises(Mismatch) as mismatch:
        from_plain(Whole, {**TOLD, name: value})
    assert repr(mismatch.value.value) in repr(value)


def test_a_text_that_is_no_notation_is_refused_by_the_notation() -> None:
    with pytest.raises(BadNotation, match="'R77' is not a face"):
        from_plain(Piece, {"seat": 1, "face": "R77"})


def test_an_object_has_all_its_fields_and_no_other() -> None:
    for odd in NO_OBJECTS:
        with pytest.raises(Mismatch):
            from_plain(Whole, odd)


def test_a_type_without_a_form_is_a_mistake_in_the_declaration() -> None:
    @dataclass(frozen=True)
    class Odd:
        seconds: float

    with pytest.raises(TypeError, match=r"float.* has no form in JSON"):
        _fields_of_local(Odd)


def _fields_of_local(kind: type) -> None:
    kind.__annotations__ = {"seconds": float}  # a local class has no module to look its hints up in
    fields_of(kind)
