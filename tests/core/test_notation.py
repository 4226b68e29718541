"""Faces, cards and moves as short texts: printing and parsing are exact inverses, and bad texts are refused by name."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from flipdeck.core.cards import Card, Color, Face, Seat, Side, Symbol, code_of, face_of, full_deck
from flipdeck.core.errors import BadNotation
from flipdeck.core.notation import Accept, CallColor, Catch, Challenge, Draw, Keep, Move, Play, SayUno

FACES = {side: sorted(full_deck(side, 112), key=str) for side in Side}
WORDS: list[Move] = [Draw(), Keep(), Accept(), Challenge(), SayUno()]

# a bad text, the reason, and the part that the sentence has to name
BAD_FACES = [
    *["", " ", "R", "7", "R0", "R10", "r7", "R7 ", " R7", "R+2", "R+5", "P+1", "RE", "PS", "RW", "W+1", "W+5", "W+"],
    *["?", "X7", "7R", "RR7", "R7/O1", "R７", "R7\n", "R-1", "W+c", "w", "WW", "+1", "R²", "Ｒ7", "\x00", "R7!", "W=G"],
]
BAD_CARDS = [
    *[("", "no-card", ""), ("R7", "no-card", "R7"), ("R7/", "no-face", "''"), ("/O1", "no-face", "''")],
    *[("?/?", "no-card", "?/?"), ("R7/O1/P2", "no-card", "R7/O1/P2"), ("R7\\O1", "no-card", "O1")],
    *[("O1/R7", "wrong-side", "O1"), ("R7/R7", "wrong-side", "R7"), ("O1/O1", "wrong-side", "O1")],
    *[("W+C/P5", "wrong-side", "W+C"), ("W/W+2", "wrong-side", "W+2"), ("R7/PS", "no-face", "PS")],
    *[("RE/P1", "no-face", "RE"), ("R7/O0", "no-face", "O0"), ("X7/O1", "no-face", "X7"), ("R7 /O1", "no-face", "R7 ")],
    *[("??/O1", "no-face", "??"), ("R7/?!", "no-face", "?!"), ("//", "no-card", "//")],
]
# what looks like no move at all is named as a whole
NO_MOVES = [
    *[
        "",
        "pass",
        "Draw",
        "draw ",
        " draw",
        "draw\n",
        "UNO",
        "uno!",
        "color",
        "colour G",
        "catch",
        "catch ",
        "catch -1",
    ],
    *["catch x", "catch 01", "catch 100", "catch  1", "catch 1.0", "catch ١", "catch 1\n", "catch1", "R7", "R7/O1="],
    *["R7/O1!!", "R7/O1!=G", "W/P5=g", "W/P5=GG", "W/P5 =G", "R7/O1 !", "!R7/O1", "R7/O1!\n", "R7/O1=G!x", "/", "=G"],
]
BAD_MOVES = [
    *[("color ", "no-color", "''"), ("color X", "no-color", "'X'"), ("color r", "no-color", "'r'")],
    *[("color red", "no-color", "'red'"), ("color  G", "no-color", "' G'"), ("color G ", "no-color", "'G '")],
    *[("W/P5=X", "no-color", "'X'"), ("?/?", "no-card", "'?/?'"), ("W/P5/=G", "no-card", "'W/P5/'")],
    *[("R7/P0!", "no-face", "'P0'"), ("O1/R7", "wrong-side", "O1"), ("R7/O1/P2", "no-card", "'R7/O1/P2'")],
]


def all_cards() -> list[Card]:
    lights: list[Face | None] = [*FACES[Side.LIGHT], None]
    darks: list[Face | None] = [*FACES[Side.DARK], None]
    return [Card(light, dark) for light, dark in product(lights, darks) if light or dark]


def all_moves(cards: list[Card]) -> list[Move]:
    plays: list[Move] = [Play(card, color, uno) for card in cards for color in (None, *Color) for uno in (False, True)]
    return [*WORDS, *map(CallColor, Color), *(Catch(Seat(seat)) for seat in range(100)), *plays]


def test_there_are_54_faces_a_side_and_each_is_its_text() -> None:
    for side in Side:
        assert len(FACES[side]) == 54
        for face in FACES[side]:
            assert Face.parse(str(face)) == face
            assert face_of(side, code_of(side, face)) == face
            assert face.is_wild == face.symbol.is_wild == (face.color is None)
            assert face.color is None or face.color.side is side


def test_the_texts_of_the_notation_mean_what_it_says() -> None:
    assert Face.parse("RR") == Face(Color.RED, Symbol.REVERSE)
    assert Face.parse("O+5") == Face(Color.ORANGE, Symbol.DRAW_FIVE)
    assert Face.parse("VE") == Face(Color.PURPLE, Symbol.SKIP_EVERYONE)
    assert Face.parse("W+C") == Face(None, Symbol.WILD_DRAW_COLOR)
    assert Card.parse("R7/?") == Card(Face(Color.RED, Symbol.SEVEN), None)
    assert Move.parse("W/P5=G!") == Play(Card.parse("W/P5"), Color.GREEN, True)
    assert Move.parse("color V") == CallColor(Color.PURPLE)
    assert Move.parse("catch 3") == Catch(Seat(3))
    assert [Move.parse(text) for text in ("draw", "keep", "accept", "challenge", "uno")] == WORDS
    assert {symbol.value for symbol in Symbol if symbol.is_number} == set("123456789")


def test_every_card_is_its_text() -> None:
    texts = set()
    for card in all_cards():
        assert Card.parse(str(card)) == card
        texts.add(str(card))
        assert (card.face(Side.LIGHT), card.face(Side.DARK)) == (card.light, card.dark)
        assert (card.only(Side.LIGHT), card.only(Side.DARK)) == (Card(card.light, None), Card(None, card.dark))
    assert len(texts) == 55 * 55 - 1


def test_every_move_is_its_text() -> None:
    cards = all_cards()[::37] + [Card.parse(text) for text in ("W/P5", "W+2/W+C", "R7/W", "?/W+C", "W/?")]
    moves = all_moves(cards)
    for move in moves:
        assert Move.parse(str(move)) == move
    assert len({str(move) for move in moves}) == len(set(moves))


@pytest.mark.parametrize("text", BAD_FACES)
def test_a_bad_face_is_refused_by_name(text: str) -> None:
    with pytest.raises(BadNotation) as refused:
        Face.parse(text)
    assert (refused.value.code, refused.value.reason) == ("bad-notation", "no-face")
    assert repr(text) in str(refused.value)


@pytest.mark.parametrize(("text", "reason", "part"), BAD_CARDS)
def test_a_bad_card_is_refused_with_the_bad_part_named(text: str, reason: str, part: str) -> None:
    with pytest.raises(BadNotation) as refused:
        Card.parse(text)
    assert (refused.value.code, refused.value.reason) == ("bad-notation", reason)
    assert part in str(refused.value)


@pytest.mark.parametrize("text", NO_MOVES)
def test_what_is_no_move_at_all_is_refused_by_name(text: str) -> None:
    with pytest.raises(BadNotation) as refused:
        Move.parse(text)
    assert refused.value.reason == "no-move"
    assert repr(text) in str(refused.value)


@pytest.mark.parametrize(("text", "reason", "part"), BAD_MOVES)
def test_a_bad_move_is_refused_with_the_bad_part_named(text: str, reason: str, part: str) -> None:
    with pytest.raises(BadNotation) as refused:
        Move.parse(text)
    assert (refused.value.code, refused.value.reason) == ("bad-notation", reason)
    assert part in str(refused.value)


@pytest.mark.parametrize("text", ["", "X", "RED", "r", "RG", "?", "W", " R", "Ｒ"])
def test_a_bad_color_is_refused_by_name(text: str) -> None:
    with pytest.raises(BadNotation) as refused:
        Color.parse(text)
    assert refused.value.reason == "no-color"
    assert repr(text) in str(refused.value)


SCRAPS = st.lists(
    st.sampled_from([*"RYGBPTOVWSEF123456789?/=!+ C", "draw", "catch ", "color ", "W+2", "\n"]), max_size=9
)
ANYTHING = st.text(max_size=20) | SCRAPS.map("".join)


@settings(
    derandomize=True, deadline=None, database=None, max_examples=400, suppress_health_check=[HealthCheck.too_slow]
)
@given(ANYTHING)
@example("R7/O1=R!")
@example("\ud800")
def test_any_text_is_a_move_that_prints_as_it_or_bad_notation(text: str) -> None:
    for kind in (Move, Card, Face):
        try:
            parsed = kind.parse(text)
        except BadNotation:
            continue
        assert str(parsed) == text


@settings(
    derandomize=True, deadline=None, database=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow]
)
@given(st.sampled_from(all_moves(all_cards()[::211])), st.integers(0, 20), st.text(max_size=1), st.booleans())
def test_a_move_with_one_letter_changed_is_another_move_or_bad_notation(
    move: Move, at: int, letter: str, insert: bool
) -> None:
    text = str(move)
    changed = text[:at] + letter + text[at + (not insert) :]
    try:
        parsed = Move.parse(changed)
    except BadNotation:
        assert changed != text
    else:
        assert str(parsed) == changed
        assert (parsed == move) == (changed == text)
