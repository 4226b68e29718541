"""``flipdeck verify``: what holds, what does not, and what it can't say."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from flipdeck import Match
from flipdeck.cli import main
from tests.core.test_record import played


@pytest.fixture(scope="module")
def finished() -> Match:
    return played("argentina", 3, "verify", rounds=40, target=100)


def verify(text: str, folder: Path, *more: str) -> int:
    path = folder / "match.txt"
    path.write_text(text, encoding="utf-8")
    return main(["verify", str(path), *more])


def test_a_finished_match_is_verified_card_by_card(
    finished: Match, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify(finished.record(), tmp_path, "--lang", "en") == 0
    shown = capsys.readouterr().out
    assert finished.commitment in shown
    assert f"rounds {len(finished.history)}" in shown


@pytest.mark.parametrize("lang", ["en", "es", "es-AR"])
def test_every_language_can_say_so(
    finished: Match, tmp_path: Path, capsys: pytest.CaptureFixture[str], lang: str
) -> None:
    assert verify(finished.record(), tmp_path, "--lang", lang) == 0
    assert capsys.readouterr().out.count("\n") == 3


def test_one_changed_card_is_found_out(finished: Match, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = finished.record().split("\n")
    number, line = next((n, line) for n, line in enumerate(lines, start=1) if " draw [" in line)
    card = line.split(": ")[1].removesuffix("]")
    lines[number - 1] = line.replace(card, "R1/P1" if card != "R1/P1" else "R2/P1")
    assert verify("\n".join(lines), tmp_path, "--lang", "en") == 1
    assert f"Line {number}:" in capsys.readouterr().err


def test_another_seed_is_found_out(finished: Match, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(finished.record().replace(finished.seed.hex(), "0" * 64), tmp_path, "--lang", "en") == 1
    assert "commitment is not that of the seed" in capsys.readouterr().err


def test_an_unfinished_match_and_a_deck_set_by_hand_prove_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = Match(players=2, seed="open")
    assert verify(match.record(), tmp_path, "--lang", "en") == 1
    assert capsys.readouterr().err

    state = match.secret_state()
    assert isinstance(state["draw"], list)
    assert isinstance(state["hands"], list)
    assert isinstance(state["discard"], list)
    deck = [*state["hands"][0], *state["hands"][1], *state["discard"], *state["draw"]]
    given = Match("mild-wild", 2, seed="given", deck=deck, options={"hand_size": 1})
    for _ in range(5000):
        if given.to_act is None:
            break
        given.say(given.to_act, given.legal(given.to_act)[0])
    assert given.over
    assert verify(given.record(), tmp_path, "--lang", "en") == 1
    assert "deck" in capsys.readouterr().err


def test_a_record_can_come_from_standard_input(
    finished: Match, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(finished.record().encode()), encoding="utf-8")
    monkeypatch.setattr("sys.stdin", stdin)
    assert main(["verify", "-"]) == 0
    assert finished.commitment in capsys.readouterr().out
