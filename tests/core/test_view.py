"""A view as JSON and back.  What may be in it at all is in ``rules/test_seeing.py``."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from flipdeck import Match, View
from flipdeck.core.errors import BadNotation, BadRequest
from flipdeck.core.json_form import fields_of
from tests.random_matches import random_table, say_something

TOLD = Match(players=3, seed="told").view(1).to_dict()


def test_a_view_is_read_back_from_its_json() -> None:
    for seed in range(20):
        dice = Random(seed)
        match = random_table(dice).match()
        for _ in range(dice.randrange(40)):
            if not match.round.over:
                say_something(match, dice)
        for seat in (None, 0, 1):
            assert View.from_dict(json.loads(match.view_text(seat))) == match.view(seat)


def test_every_field_has_a_sentence() -> None:
    assert all(field.note for field in fields_of(View))


@pytest.mark.parametrize(
    ("told", "reason", "sentence"),
    [
        ([], "view-shape", "A view is a JSON object"),
        ({}, "view-field", "the field 'side' is missing"),
        ({**TOLD, "dance": 1}, "view-extra", "it has no field 'dance'"),
        ({**TOLD, "phase": "dancing"}, "view-value", "phase can't be 'dancing' in this view"),
        ({**TOLD, "others": [{"seat": "0", "backs": []}]}, "view-value", "others can't be '0' in this view"),
    ],
)
def test_what_is_no_view_is_refused(told: Any, reason: str, sentence: str) -> None:
    with pytest.raises(BadRequest, match=sentence) as refused:
        View.from_dict(told)
    assert refused.value.reason == reason


def test_a_text_in_a_view_that_is_no_notation_is_refused() -> None:
    with pytest.raises(BadNotation, match="'R77' is not a face"):
        View.from_dict({**TOLD, "top": "R77"})
