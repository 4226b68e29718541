"""``flipdeck verify``: what holds, what does not, and what it can't say."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from flipdeck.cli import main
from flipdeck.core.match import Match
from flipdeck.core.seeds import commitment_of, pledge_of, seed_of
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
    assert capsys.readouterr().out.count("\n") == 4


def test_one_changed_card_is_found_out(finished: Match, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = finished.record().split("\n")
    number, line = next((n, line) for n, line in enumerate(lines, start=1) if " draw [" in line)
    card = line.split(": ")[1].removesuffix("]")
    lines[number - 1] = line.replace(card, "R1/P1" if card != "R1/P1" else "R2/P1")
    assert verify("\n".join(lines), tmp_path, "--lang", "en") == 1
    assert f"Line {number}:" in capsys.readouterr().err


def test_another_seed_is_found_out(finished: Match, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(finished.record().replace(finished.seed.hex(), "0" * 64), tmp_path, "--lang", "en") == 1
    assert "Line 6: the commitment is not that of the secret, or of the seed" in capsys.readouterr().err


# ---------------------------------------------------------------- values that seats added to the secret
@pytest.fixture(scope="module")
def with_values() -> str:
    match = Match("mild-wild", 2, seed="secret", values={0: b"a" * 32, 1: b"b" * 32})
    for _ in range(5000):
        if match.to_act is None:
            break
        match.say(match.to_act, match.legal(match.to_act)[0])
    assert match.over
    return match.record()


def test_a_seed_made_of_a_secret_and_values_is_verified(
    with_values: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify(with_values, tmp_path, "--lang", "en") == 0
    assert "the values that 2 seats added." in capsys.readouterr().out


# ---------------------------------------------------------------- what was seen before the match
SECRET, VALUES = seed_of("secret"), {0: b"a" * 32, 1: b"b" * 32}  # of ``with_values``
COMMITMENT = commitment_of(SECRET)
PLEDGES = [f"{seat}:{pledge_of(COMMITMENT, value)}" for seat, value in VALUES.items()]


def test_a_commitment_that_was_seen_is_compared(
    with_values: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grouped = " ".join(COMMITMENT[at : at + 8].upper() for at in range(0, 64, 8))  # as a page shows it
    for seen in (COMMITMENT, grouped):
        assert verify(with_values, tmp_path, "--lang", "en", "--commitment", seen) == 0
        assert "It is the commitment that you saw" in capsys.readouterr().out
    assert verify(with_values, tmp_path, "--lang", "en") == 0
    assert "Nobody has compared it" in capsys.readouterr().out


@pytest.mark.parametrize("lang", ["en", "es", "es-AR"])
def test_a_match_that_was_forged_as_a_whole_is_not_the_one_that_was_committed_to(
    finished: Match, tmp_path: Path, capsys: pytest.CaptureFixture[str], lang: str
) -> None:
    forged = played("argentina", 3, "forged", rounds=40, target=100)
    assert verify(forged.record(), tmp_path, "--lang", lang) == 0, "it agrees with itself"
    capsys.readouterr()
    assert verify(forged.record(), tmp_path, "--lang", lang, "--commitment", finished.commitment) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert forged.commitment in told.err


def test_pledges_that_were_seen_are_compared(
    with_values: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = [flag for pledge in PLEDGES for flag in ("--pledge", pledge)]
    assert verify(with_values, tmp_path, "--lang", "en", *seen) == 0
    assert "The pledges that you saw are those of the values" in capsys.readouterr().out
    swapped = PLEDGES[0].replace("0:", "1:")
    assert verify(with_values, tmp_path, "--lang", "en", "--pledge", swapped) == 1
    assert "value of seat 1 in the record is not the one that was pledged" in capsys.readouterr().err


def test_a_pledge_that_was_not_opened_is_named(
    finished: Match, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify(finished.record(), tmp_path, "--lang", "en", "--pledge", PLEDGES[0]) == 1
    assert "The record has no value of seat 0" in capsys.readouterr().err


def test_that_no_seat_added_a_value_is_said(
    finished: Match, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify(finished.record(), tmp_path, "--lang", "en") == 0
    assert "No seat added a value" in capsys.readouterr().out


@pytest.mark.parametrize(
    "flags",
    [
        ("--commitment", "91ab"),
        ("--commitment", "g" * 64),
        ("--pledge", "0" * 64),
        ("--pledge", "10:" + "0" * 64),
        ("--pledge", "0:00"),
    ],
)
def test_digits_that_can_not_be_are_refused(
    with_values: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: tuple[str, str]
) -> None:
    assert verify(with_values, tmp_path, "--lang", "en", *flags) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert "digits" in told.err


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("values: 0:61", "values: 0:62", "the secret and the values don't give this seed."),
        ("values: 0:", "values: 1:", "values are written seat:digits, each seat once"),
        ("values: 0:61", "values: 0:6", "are 64 hexadecimal digits each."),
        ("values: ", "dealer: 0\nvalues: 0", "values are written seat:digits"),
        ("secret: ", "secret: 0", "are 64 hexadecimal digits each."),
        ("commitment: ", "commitment: 0", "the commitment is not that of the secret"),
    ],
)
def test_a_changed_secret_or_value_is_found_out(
    with_values: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, problem: str
) -> None:
    assert with_values.count(old) == 1
    assert verify(with_values.replace(old, new), tmp_path, "--lang", "en") == 1
    told = capsys.readouterr().err
    assert told.startswith("The record is not correct. Line ")
    assert problem in told
    assert told.count("\n") == 1


# ---------------------------------------------------------------- what can't be verified
@pytest.mark.parametrize("version", ["1", "3", "20"])
@pytest.mark.parametrize("lang", ["en", "es", "es-AR"])
def test_another_version_is_no_damage_and_gets_one_sentence(
    finished: Match, tmp_path: Path, capsys: pytest.CaptureFixture[str], version: str, lang: str
) -> None:
    text = finished.record().replace("flipdeck record 2", f"flipdeck record {version}")
    assert verify(text, tmp_path, "--lang", lang) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert f" {version};" in told.err
    assert " 2, " in told.err


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("options: target=100", "options: target=100 most=1", "There is no option 'most'"),
        ("options: target=100", "options: target=100 opening_ignored=lost", "opening_ignored can't be 'lost'"),
        ("options: target=100", "options: deck=mini", "The mini deck needs hand_size from 1 to 2"),
        ("options: target=100", "options: deck=108", "this should be "),
        ("\nround 1,", "\ndeck: R7/O1 R7/O1\nround 1,", "The deck of this match has 112 cards, not 2."),
        ("edition: argentina", "edition: deluxe", "There is no edition 'deluxe'"),
        ("\nleft ", "\nleft 0: R7/O1\nleft ", "this should be "),
    ],
)
def test_options_and_decks_that_can_not_be_are_named_with_their_line(
    finished: Match, tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, problem: str
) -> None:
    text = finished.record()
    assert old in text
    assert verify(text.replace(old, new, 1), tmp_path, "--lang", "en") == 1
    told = capsys.readouterr().err
    assert told.startswith("The record is not correct. Line ")
    assert problem in told
    assert told.count("\n") == 1


def test_a_changed_hand_at_the_end_is_found_out(
    finished: Match, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = finished.record().split("\n")
    number, line = next((n, line) for n, line in enumerate(lines, start=1) if line.startswith("left "))
    seat, _, cards = line.partition(": ")
    lines[number - 1] = f"{seat}: {' '.join(['R1/P1', *cards.split()[1:]])}"
    assert verify("\n".join(lines), tmp_path, "--lang", "en") == 1
    assert f"Line {number}:" in capsys.readouterr().err


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
