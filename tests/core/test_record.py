"""A match as text: written, read back, and every kind of damage named by its line."""

from __future__ import annotations

import random
from hashlib import sha256

import pytest

from flipdeck.core.errors import BadRecord, Refusal
from flipdeck.core.match import Match
from flipdeck.core.record import parse


def played(edition: str, players: int, seed: str, rounds: int = 3, **options: object) -> Match:
    """A match played by dice, rather playing than drawing, until it is over or a number of rounds has ended."""
    match = Match(edition, players, seed=seed, options=options)
    dice = random.Random(seed)
    for _ in range(30_000):
        if match.over or (match.round.over and match.round.number == rounds):
            return match
        if match.round.over:
            match.next_round()
            continue
        seat = match.to_act if dice.random() < 0.8 else dice.randrange(players)
        moves = match.legal(seat or 0)
        if moves:
            match.say(seat or 0, moves[0] if dice.random() < 0.6 else dice.choice(moves))
    raise AssertionError("this match does not end")


@pytest.fixture(scope="module")
def record() -> str:
    """A finished match of several rounds with draws, challenges and an opening card that went back."""
    for number in range(200):
        text = played("classic", 3, f"record {number}", rounds=30, target=150).record()
        if "<" in text and "challenge" in text and "round 3" in text:
            return text
    raise AssertionError("no seed gives such a record")


@pytest.mark.parametrize("edition", ["classic", "splash", "argentina", "mild-wild"])
@pytest.mark.parametrize("players", [2, 10])
def test_a_record_replays_to_the_identical_match(edition: str, players: int) -> None:
    match = played(edition, players, f"{edition} {players}", rounds=1, stacking=True, jump_in=True, own_backs="hidden")
    again = parse(match.record())
    assert again.secret_state() == match.secret_state()
    assert again.history == match.history
    assert again.record() == match.record()
    assert again.options == match.options
    assert again.commitment == match.commitment


def test_a_record_of_a_match_in_the_middle_of_a_round_goes_on_where_it_stopped() -> None:
    match = Match(players=2, seed="middle")
    again = parse(match.record())
    for each in (match, again):
        assert each.to_act is not None
        each.say(each.to_act, "draw")
    assert again.record() == match.record()
    assert "end: unfinished" in match.record()


def test_a_given_deck_and_a_named_dealer_are_in_the_record() -> None:
    first = Match("splash", 3, seed="deal")
    hands = first.secret_state()
    match = Match(
        "splash", 3, seed="other", dealer=2, deck=[*_flat(hands["hands"]), *_flat([hands["discard"], hands["draw"]])]
    )
    again = parse(match.record())
    assert again.secret_state() == match.secret_state()
    assert "dealer: 2" in match.record()
    assert "deck: " in match.record()


def _flat(lists: object) -> list[str]:
    assert isinstance(lists, list)
    return [str(card) for cards in lists for card in cards]


def test_blank_lines_and_spaces_at_the_ends_of_lines_do_not_matter(record: str) -> None:
    loose = "\n\n".join(f"  {line} \r" for line in record.split("\n"))
    assert parse(loose).record() == record


def test_a_void_round_and_a_shared_win_are_written_in_words() -> None:
    match = played("classic", 2, "lowest", rounds=50, scoring="lowest", target=60)
    assert match.record().splitlines()[-1].startswith("end: won by ")


def damage(record: str, line: int, new: str | None) -> str:
    lines = record.split("\n")
    lines[line - 1 : line] = [] if new is None else [new]
    return "\n".join(lines)


def line_of(record: str, start: str) -> int:
    return next(n for n, line in enumerate(record.split("\n"), start=1) if line.startswith(start))


def first_bad_line(text: str) -> int:
    with pytest.raises(BadRecord) as caught:
        parse(text)
    assert str(caught.value).startswith(f"Line {caught.value.line}: ")
    assert caught.value.code == "bad-record"
    return caught.value.line


@pytest.mark.parametrize(
    ("start", "new"),
    [
        ("flipdeck record", "flipdeck record 1"),
        ("flipdeck record", "flipdeck record 3"),
        ("flipdeck record", "a shopping list"),
        ("edition", "edition: deluxe"),
        ("edition", "edition classic"),
        ("players", "players: 11"),
        ("players", "players: three"),
        ("players", "edition: classic"),
        ("options", "options: target"),
        ("options", "options: target=0"),
        ("options", "options: target=150 target=150"),
        ("options", "options: targt=150"),
        ("options", "mood: good"),
        ("seed", "seed: abc"),
        ("seed", "seed: " + "G" * 64),
        ("commitment", "commitment: " + "0" * 64),
        ("round 1", "round 1, dealer 7"),
        ("round 2", "round 3, dealer 1"),
        ("for the deal", "for the deal: 0 R1, 1 R1, 2 R2"),
        ("hand 0", "hand 0: R1/P1"),
        ("open", "open: R1/P1"),
        ("0 draw", "0 draw [0: R1/P1]"),
        ("0 draw", "9 draw"),
        ("0 draw", "x draw"),
        ("0 draw", "0 fly"),
        ("0 draw", "0 keep"),
        ("left", "left 0: R1/P1"),
        ("out", "out 0, points 0 0 0, scores 0 0 0"),
        ("end", "end: won by 0 1 2"),
        ("end", "end: unfinished"),
    ],
)
def test_the_first_damaged_line_is_named(record: str, start: str, new: str) -> None:
    line = line_of(record, start)
    assert first_bad_line(damage(record, line, new)) == line


def test_a_move_without_the_number_of_its_seat_is_refused_as_that(record: str) -> None:
    for new in ("draw", "-1 draw", "x draw"):
        with pytest.raises(BadRecord, match="begins with the number of its seat"):
            parse(damage(record, line_of(record, "0 draw"), new))


@pytest.mark.parametrize("start", ["edition", "players", "seed", "commitment"])
def test_a_missing_header_is_missed_where_the_rounds_begin(record: str, start: str) -> None:
    without = damage(record, line_of(record, start), None)
    assert first_bad_line(without) == line_of(without, "round 1")


def test_every_single_move_that_is_left_out_is_noticed_at_once_or_by_the_next_deal(record: str) -> None:
    dice = random.Random(1)
    moves = [n for n, line in enumerate(record.split("\n"), start=1) if line[:1].isdigit()]
    for line in dice.sample(moves, 15):
        assert first_bad_line(damage(record, line, None)) >= line


def test_a_record_cut_anywhere_is_refused(record: str) -> None:
    dice = random.Random(2)
    for _ in range(20):
        cut = record[: dice.randrange(len(record) - 2)]
        assert first_bad_line(cut) <= cut.count("\n") + 1


def test_a_given_deck_is_checked_on_its_line(record: str) -> None:
    text = damage(record, line_of(record, "round 1"), "deck: R7/O1\nround 1, dealer 0")
    assert first_bad_line(text) == line_of(text, "deck")
    text = damage(record, line_of(record, "round 1"), "dealer: 3\nround 1, dealer 0")
    assert first_bad_line(text) == line_of(text, "dealer")


def test_a_record_ends_with_its_end(record: str) -> None:
    assert first_bad_line(record + "0 draw\n") == record.count("\n") + 1


def test_a_round_after_the_match_was_won_is_refused(record: str) -> None:
    end = line_of(record, "end")
    assert first_bad_line(damage(record, end, "round 99, dealer 0")) == end


@pytest.mark.parametrize("text", ["", "\n", "\0", "flipdeck record 1", "flipdeck record 1\n\n\n", "é" * 10_000])
def test_what_is_no_record_at_all_is_refused(text: str) -> None:
    assert first_bad_line(text) >= 1


# ---------------------------------------------------------------- values of the seats
SECRET, VALUES = bytes(range(32)), {0: b"0" * 32, 2: b"2" * 32}


@pytest.fixture
def with_values() -> str:
    return Match(players=3, seed=SECRET, values=VALUES).record()


def test_what_seats_added_decides_the_cards_with_the_secret(with_values: str) -> None:
    alone, mixed = Match(players=3, seed=SECRET), parse(with_values)
    assert (mixed.secret, mixed.values) == (SECRET, VALUES)
    assert mixed.commitment == alone.commitment, "the table is committed to its secret"
    assert mixed.seed != alone.seed
    assert mixed.view(0).hand != alone.view(0).hand
    assert mixed.record() == with_values


def test_the_seed_of_values_is_what_the_documents_say() -> None:
    text = b"flipdeck seed of values\n" + SECRET + b"\x00" + b"0" * 32 + b"\x02" + b"2" * 32
    assert Match(players=3, seed=SECRET, values=VALUES).seed == sha256(text).digest()
    assert Match(players=3, seed=SECRET, values={}).seed == SECRET


@pytest.mark.parametrize(
    ("start", "new", "blamed"),
    [
        ("secret", "secret: " + "0" * 64, "commitment"),
        ("secret", "secret: 12", "secret"),
        ("secret", None, "commitment"),
        ("values", None, "seed"),
        ("values", "values: 0:" + "0" * 64, "seed"),
        ("values", "values: 0:12", "values"),
        ("values", "values: x:" + "0" * 64, "values"),
        ("values", "values: " + " ".join(["0:" + "0" * 64] * 2), "values"),
        ("seed", "seed: " + "0" * 64, "seed"),
    ],
)
def test_a_secret_or_a_value_that_does_not_give_the_seed_is_refused(
    with_values: str, start: str, new: str | None, blamed: str
) -> None:
    damaged = damage(with_values, line_of(with_values, start), new)
    assert first_bad_line(damaged) == line_of(damaged, blamed)


def test_values_without_a_secret_are_refused() -> None:
    text = Match(players=3, seed=SECRET).record()
    damaged = text.replace("\n\n", f"\nvalues: 0:{'0' * 64}\n\n", 1)
    assert first_bad_line(damaged) == line_of(damaged, "values")


def test_values_of_a_seat_that_is_not_there_are_refused() -> None:
    with pytest.raises(Refusal, match="There is no seat 3"):
        Match(players=3, seed=SECRET, values={3: b"3" * 32})
    for bad in (b"short", "text", None):
        with pytest.raises(Refusal, match="is 32 bytes, not") as refusal:
            Match(players=3, seed=SECRET, values={0: bad})  # type: ignore[dict-item]
        assert refusal.value.code == "bad-option"


def test_a_record_of_the_first_version_is_refused_in_one_sentence(record: str) -> None:
    with pytest.raises(BadRecord) as refusal:
        parse(record.replace("flipdeck record 2", "flipdeck record 1"))
    assert str(refusal.value) == (
        "Line 1: this is a record of version 1; this program reads version 2, with other rules."
    )
