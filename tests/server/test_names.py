"""Names and chat: whatever people write, others can look at it without harm."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from flipdeck.server.names import (
    CHAT_CHARACTERS,
    JOINER,
    NAME_CHARACTERS,
    PICTURE_STYLE,
    READ,
    clean_chat,
    clean_name,
    unlike,
)
from flipdeck.wire.errors import TableRefusal

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
KISS = "\U0001f469\U0001f3fd\u200d\u2764\ufe0f\u200d\U0001f48b\u200d\U0001f468\U0001f3fe"
RAINBOW = "\U0001f3f3\ufe0f\u200d\U0001f308"
SPAIN = "\U0001f1ea\U0001f1f8"
ZALGO = "Z" + "\u0301\u0316\u0334\u0489" * 50

CLEANED = {
    "Ann": "Ann",
    "  Ann \t\n Lee  ": "Ann Lee",
    "Zoe\u0308": "Zoë",
    "José": "José",
    "李雷": "李雷",
    "\u1112\u1161\u11ab": "한",
    "עברית": "עברית",
    "محمد": "محمد",
    "किरण": "किरण",
    "<script>alert(1)</script>": "<script>alert(1)</sc",
    "<b>&amp;\"'": "<b>&amp;\"'",
    "\u202eevil\u202c": "evil",
    "\u2066a\u2069\u200e\u200f\u061c": "a",
    "A\x00n\x1bn\x7f\x9b": "Ann",
    "A\ud800n\udfffn": "Ann",
    "A\u200bn\u2060n\ufeff\u00ad": "Ann",
    "A\ue000n\U000f0000n\U0010fffd\uffff\u0378": "Ann",
    "Ann\u2028Lee\u2029Bo\x85C\u3000D": "Ann Lee Bo C D",
    "\u0301Ann \u0301B": "Ann B",
    "A\u3164n\u2800n\u115f": "Ann",
    ZALGO: unicodedata.normalize("NFC", unicodedata.normalize("NFC", ZALGO)[:4]),
    FAMILY: FAMILY,
    KISS: KISS,
    RAINBOW: RAINBOW,
    SPAIN: SPAIN,
    "\U0001f44d\U0001f3fd": "\U0001f44d\U0001f3fd",
    "A\u200dB\ufe0f": "AB",
    f"{JOINER}\U0001f600{JOINER}{JOINER}{PICTURE_STYLE}{PICTURE_STYLE}a": f"\U0001f600{PICTURE_STYLE}a",
    "\U0001f600\u200d": "\U0001f600",
    "\u2460\u200d\u2460\u2308\ufe0f": "\u2460\u2460\u2308",
    "\U0001f600\u200da": "\U0001f600a",
    "\U0001f44d" + "\U0001f3fd" * 30: "\U0001f44d" + "\U0001f3fd" * 20,
    "\U0001f600\u200d a": "\U0001f600 a",
    "\U0001f3f4\U000e0067\U000e0062\U000e007f": "\U0001f3f4",
    "a" * 10_000: "a" * 20,
    "a b" * 4000: "a ba ba ba ba ba ba",
    "\U0001f600" * 30: "\U0001f600" * 20,
}
NOTHING = [
    *[
        "",
        " ",
        " \t\n ",
        "\u3000\u00a0\u2003",
        "\u200b\u200d\ufe0f",
        "\u202e\u2066",
        "\x00\x1b",
        "\ud800",
        "\u0301\u0301",
    ],
    *["\u3164\u2800", "\ue000", "\u0378", "\u034f", "\U000e0041", "\ufe0f\u20e3", " " * 10_000 + "late"],
]
HOSTILE = [*CLEANED, *NOTHING, FAMILY * 40, KISS * 30, "\U0001f3fd" * 40, ("e" + "\u0301" * 9) * 40, "\ufdfa" * 30]

# letters, and often what has to do with the letter before it
texts = st.text(
    st.characters()
    | st.sampled_from(
        [" ", JOINER, PICTURE_STYLE, "\u0301", "\u0316", "\u20e3", "\u0338", "\u202e", "\n", "a", "e", "<"]
    )
    | st.sampled_from(
        [*KISS, *SPAIN, *"\u1112\u1161\u11ab", "\u2192", "\u0958", "\u09c7", "\u09be", "\u0345", "\ud800"]
    ),
    max_size=120,
)


def name_of(text: str) -> str | None:
    try:
        return clean_name(text)
    except TableRefusal:
        return None


def assert_harmless(text: str) -> None:
    assert text == unicodedata.normalize("NFC", text) == " ".join(text.split(" ")).strip()
    assert "  " not in text
    text.encode()
    for before, character in zip(" " + text, text, strict=False):
        if character == JOINER:
            assert unicodedata.category(before)[0] in "SM", "it joins pictures only"
        else:
            assert character == " " or unicodedata.category(character)[0] not in "CZ"
    assert text[-1] != JOINER
    marks = "".join("m" if unicodedata.category(c)[0] == "M" and c != PICTURE_STYLE else "-" for c in text)
    assert "mmmm" not in marks
    assert marks[0] == "-"


@pytest.mark.parametrize(("text", "name"), CLEANED.items())
def test_a_name_is_cleaned(text: str, name: str) -> None:
    assert clean_name(text) == name


@pytest.mark.parametrize("text", NOTHING)
def test_a_name_of_which_nothing_can_be_seen_is_refused(text: str) -> None:
    with pytest.raises(TableRefusal) as refusal:
        clean_name(text)
    assert refusal.value.code == "bad-name"


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_do_no_harm(text: str) -> None:
    name, line = name_of(text), clean_chat(text)
    assert (name is None) == (line is None)
    if name is not None and line is not None:
        assert_harmless(name)
        assert_harmless(line)
        assert clean_name(name) == name
        assert clean_chat(line) == line
        assert len(name) <= NAME_CHARACTERS
        assert len(line) <= CHAT_CHARACTERS


@settings(max_examples=500, deadline=None, derandomize=True, database=None)
@given(texts)
@example("a\ufe0f\u0301")
@example("<\ufe0f\u0338\ufe0f")
@example("\u1112\ufe0f\u1161")
@example("a\u0301\u0301\u0301\u0301\u0316")
def test_any_name_is_bounded_harmless_and_clean_once_it_was_cleaned(text: str) -> None:
    name = name_of(text)
    if name is not None:
        assert_harmless(name)
        assert len(name) <= NAME_CHARACTERS
        assert sum(unicodedata.category(c)[0] != "M" and c != JOINER for c in name) <= 40
        assert clean_name(name) == name


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(texts)
def test_any_chat_is_bounded_harmless_and_clean_once_it_was_cleaned(text: str) -> None:
    line = clean_chat(text * 4)
    if line is not None:
        assert_harmless(line)
        assert len(line) <= CHAT_CHARACTERS
        assert clean_chat(line) == line


def test_joined_pictures_count_each_so_that_twenty_is_as_wide_as_it_gets() -> None:
    assert clean_name(FAMILY * 10) == FAMILY * 6 + FAMILY[:3]


def test_of_a_long_text_only_the_beginning_is_read() -> None:
    assert clean_chat(" " * (READ - 1) + "ab") == "a"


@pytest.mark.parametrize("other", ["Ann", "ANN", "ann", "Ａｎｎ", "𝐀nn", "ａＮＮ"])
def test_a_name_that_somebody_has_gets_a_number(other: str) -> None:
    assert unlike("Ann", [other]) == "Ann 2"
    assert unlike(other, ["Ann"]) == f"{other} 2"


def test_the_number_is_the_first_that_is_free() -> None:
    assert unlike("Ann", []) == "Ann"
    assert unlike("Ann", ["Bo", "Anna"]) == "Ann"
    assert unlike("Ann", ["Ann", "ann 2", "Ann 4"]) == "Ann 3"
    assert unlike("Straße", ["STRASSE"]) == "Straße 2"
    assert unlike("\u2764", ["\u2764\ufe0f"]) == "\u2764 2"


def test_the_number_is_within_the_length_of_a_name() -> None:
    others = ["a" * 20, *(f"{'a' * 18} {number}" for number in range(2, 10))]
    assert unlike("a" * 20, others) == f"{'a' * 17} 10"
    assert unlike("abcdefghijklmnopq rst", ["abcdefghijklmnopq rst"]) == "abcdefghijklmnopq 2"


@settings(deadline=None, derandomize=True, database=None)
@given(st.lists(texts, min_size=1, max_size=10))
def test_no_two_at_a_table_have_one_name(wanted: list[str]) -> None:
    there: list[str] = []
    for request in wanted * 2:
        name = name_of(request)
        if name is not None:
            there.append(unlike(name, there))
            assert clean_name(there[-1]) == there[-1]
    assert len({unicodedata.normalize("NFKC", name).casefold() for name in there}) == len(there)


def test_chat_is_one_line_of_at_most_300_characters() -> None:
    assert clean_chat("hi\r\n\tthere\x00 \u202eyou ") == "hi there you"
    assert clean_chat("<b>hi</b>") == "<b>hi</b>"
    assert clean_chat("x" * 999) == "x" * 300
    assert clean_chat("xxx" + "\U0001f44d\U0001f3fd" * 200) == "xxx" + "\U0001f44d\U0001f3fd" * 148
    assert clean_chat(" \n\u200b") is None
