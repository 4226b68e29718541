"""Names that look alike count as alike, and others don't."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdeck.server import confusables
from flipdeck.server.confusables import looks
from flipdeck.server.names import clean_name, unlike

from .confusable_table import PATH, text
from .sitting import at_once, hall

ALIKE = [
    ("Ana", "Аna"),  # Cyrillic А
    ("Ana", "АΝА"),  # Cyrillic and Greek
    ("nina", "ΝΙΝΑ"),  # Greek capitals
    ("Ben", "Вen"),  # Cyrillic В
    ("bob", "вов"),  # small letters that are alike only as capitals
    ("Paul", "Pаul"),
    ("Leo", "Lео"),
    ("Olga", "0lga"),
    ("Ilse", "1lse"),
    ("ilse", "lLSE"),
    ("Ida", "lda"),
    ("Marta", "Rnarta"),
    ("Ana", "Ꭺna"),  # Cherokee
    ("Ana", "Ana\u00a0"),
    ("Ana", "𝓐𝓷𝓪"),
    ("Ana", "ａｎａ"),
]
UNLIKE = [
    ("Ana", "Anna"),
    ("Eva", "Ena"),
    ("José", "Jose"),
    ("Ann", "Anm"),
    ("Nora", "Vora"),
    ("李雷", "李蕾"),
    ("A", "B"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_a_name_that_looks_like_another_is_numbered(one: str, other: str) -> None:
    one, other = clean_name(one), clean_name(other)
    assert unlike(other, [one]) == f"{other} 2"
    assert unlike(one, [other]) == f"{one} 2"
    assert unlike(other, [one, f"{one} 2"]) == f"{other} 3"


@pytest.mark.parametrize(("one", "other"), UNLIKE)
def test_a_name_that_looks_otherwise_is_kept(one: str, other: str) -> None:
    assert unlike(other, [one]) == other


@given(st.text(max_size=30), st.lists(st.text(max_size=10), max_size=5))
def test_whatever_the_names_are_the_one_that_is_given_looks_like_no_other(name: str, others: list[str]) -> None:
    given_name = unlike(name, others)
    assert all(looks(given_name).isdisjoint(looks(other)) for other in others if given_name != name or name != other)


@given(st.text(max_size=20))
def test_a_prototype_is_its_own_prototype(name: str) -> None:
    skeleton = confusables._skeleton(name)
    assert confusables._skeleton(skeleton) == skeleton


def test_the_table_is_the_one_that_the_newest_list_gives() -> None:
    """If not: ``python -m tests.server.confusable_table``, and look at what has changed."""
    assert PATH.read_text(encoding="utf-8") == text()


def test_the_table_has_the_letters_of_our_neighbours() -> None:
    known = {chr(number): prototype for number, prototype in confusables._TABLE.items()}
    assert len(known) > 2500
    assert {known[letter] for letter in "аеорсхуі"} == set("aeopcxyi")  # Cyrillic
    assert {known[letter] for letter in "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"} == set("ABEZHlKMNOPTYX")  # Greek
    assert (known["0"], known["1"], known["m"]) == ("O", "l", "rn")
    assert all(unicodedata.normalize("NFD", prototype) == prototype for prototype in known.values())
    assert "Copyright © 1991-2023 Unicode, Inc." in PATH.read_text(encoding="utf-8")


@at_once
async def test_nobody_sits_down_as_somebody_who_is_there_or_for_whom_a_bot_stands_in() -> None:
    """Once a Cyrillic "Аnn" sat down beside Ann."""
    async with hall() as it:
        ann, ben = await it.sit(2, seats=4, start=False)
        cyrillic = await it.enter(ann.code, "Аnn")
        assert cyrillic.table["seats"][2]["name"] == "Аnn 2"
        await ann.do("seat_bot", seat=3)
        await ann.do("start")
        await ben.do("leave")
        assert it.table(ann.code).state.seats[1].name == "Ben"
        assert "Ben" in it.table(ann.code).state.names
