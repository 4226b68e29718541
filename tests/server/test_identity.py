"""Tokens, codes and seeds are secret, and people can read codes out to each other."""

from __future__ import annotations

import ast
import hashlib
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flipdeck
from flipdeck.server import identity
from flipdeck.server.identity import (
    CODE_LETTERS,
    AddressHashes,
    Transfers,
    hash_token,
    new_seed,
    read_code,
    same,
    shown_code,
)

ROOM = Path(flipdeck.__file__).parent
DICE = {"random", "numpy.random", "uuid"}
WALL_CLOCKS = {"time.time", "time.time_ns", "datetime.now", "datetime.utcnow", "datetime.today", "date.today"}
# bots' pauses and what bots make up their minds with: neither decides a card or a secret
MAY_THROW_DICE = {
    *[
        "server/table/bot_driver.py",
        "server/thinkers/memories.py",
        "server/thinkers/inline.py",
        "server/thinkers/worker.py",
        "server/thinkers/pool.py",
    ],
}
# how old a table is has to be known after a restart too
MAY_READ_THE_CLOCK = {
    "server/journal/memory.py",
    "server/journal/sqlite.py",
    "server/journal/write_ahead_log.py",
    "server/journal/copying.py",
}

codes = st.text(CODE_LETTERS, min_size=8, max_size=8)


def test_a_token_has_128_bits_in_22_letters_that_the_wire_takes() -> None:
    tokens = {identity.new_token() for _ in range(200)}
    assert len(tokens) == 200
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{22}", token) for token in tokens)


def test_a_code_has_8_letters_and_every_letter_comes_at_every_place() -> None:
    made = [identity.new_code() for _ in range(3000)]
    assert len(set(made)) == 3000
    assert all(len(code) == 8 for code in made)
    for place in range(8):  # each is missing with a chance of 10⁻⁴⁰
        assert {code[place] for code in made} == set(CODE_LETTERS)


def test_the_letters_of_a_code_can_be_told_apart() -> None:
    assert len(set(CODE_LETTERS)) == 32
    assert not set("ILOU") & set(CODE_LETTERS)


def test_a_replay_name_has_at_least_128_bits_in_small_letters() -> None:
    names = {identity.new_replay_name() for _ in range(200)}
    assert len(names) == 200
    assert all(re.fullmatch(r"[0-9a-hjkmnp-tv-z]{26}", name) for name in names)


def test_a_seed_has_32_bytes_and_is_never_the_same() -> None:
    seeds = {new_seed() for _ in range(200)}
    assert len(seeds) == 200
    assert {len(seed) for seed in seeds} == {32}


def test_the_hash_of_a_token_is_not_the_plain_hash_of_its_text() -> None:
    assert hash_token("a") == hash_token("a")
    assert hash_token("a") != hash_token("b")
    assert re.fullmatch("[0-9a-f]{64}", hash_token("a"))
    assert hash_token("a") != hashlib.sha256(b"a").hexdigest()
    assert hash_token("\ud800") != hash_token("?"), "what is no text has a hash all the same"


def test_hashes_are_compared_whole() -> None:
    one = hash_token("a")
    assert same(one, hash_token("a"))
    for other in (hash_token("b"), one[:-1], one + "0", "", one.upper(), "é"):
        assert not same(one, other)


@settings(deadline=None, derandomize=True, database=None)
@given(codes)
def test_a_code_is_read_however_it_is_typed(code: str) -> None:
    ways = [code, code.lower(), shown_code(code), f" {code[:2]} {code[2:5]}\u2013{code[5:]}\n", "-".join(code)]
    ways += [code.replace("0", "o").replace("1", "l"), code.replace("0", "O").replace("1", "I"), code.replace("1", "L")]
    assert {read_code(way) for way in ways} == {code}


def test_letters_that_look_like_digits_are_read_as_digits() -> None:
    assert read_code("oOiIlL23") == "00111123"


@settings(deadline=None, derandomize=True, database=None)
@given(codes)
def test_a_code_is_shown_in_two_halves(code: str) -> None:
    assert re.fullmatch(r"\w{4}-\w{4}", shown_code(code))
    assert shown_code(code).replace("-", "") == code


@pytest.mark.parametrize(
    "text",
    [
        *["", " ", "-", "ABCDEFG", "ABCDEFGHJ", "ABCD-EFGU", "ABCD.EFGH", "ABCDEFG\x00", "ABCD/EFG", "ABCDEFGß"],
        *[
            "ＡＢＣＤＥＦＧＨ",
            "ABCDEFGſ",
            "ABCDEFGı",
            "\ud800BCDEFGH",
            "٠١٢٣٤٥٦٧",
            "A" * 10_000,
            "-" * 10_000 + "ABCDEFGH",
        ],
    ],
)
def test_what_can_be_no_code_is_none(text: str) -> None:
    assert read_code(text) is None


@settings(deadline=None, derandomize=True, database=None)
@given(st.text(max_size=50))
def test_whatever_is_read_is_a_code_or_none(text: str) -> None:
    code = read_code(text)
    assert code is None or (len(code) == 8 and set(code) <= set(CODE_LETTERS) and read_code(code) == code)


def test_a_transfer_is_good_once() -> None:
    transfers = Transfers()
    secret = transfers.give("TABLE", "3", now=0.0)
    assert transfers.take(secret, "token", now=1.0) == ("TABLE", "3")
    assert transfers.take(secret, "another", now=1.0) is None
    assert transfers.take(secret, "", now=1.0) is None


def test_a_transfer_is_good_again_for_the_same_token_within_its_time() -> None:
    transfers = Transfers(seconds=300)
    secret = transfers.give("TABLE", "3", now=0.0)
    for now in (1.0, 2.0, 299.0):
        assert transfers.take(secret, "token", now) == ("TABLE", "3")
    assert transfers.take(secret, "token", 300.0) is None
    transfers.give("TABLE", "4", now=301.0)
    assert secret not in repr(vars(transfers))
    assert hash_token(secret) not in repr(vars(transfers)), "what has ended is forgotten"


@pytest.mark.parametrize(("after", "good"), [(0.0, True), (299.9, True), (300.0, False), (1e6, False)])
def test_a_transfer_is_good_within_its_time(after: float, good: bool) -> None:
    transfers = Transfers(seconds=300)
    secret = transfers.give("TABLE", "3", now=50.0)
    assert (transfers.take(secret, "token", now=50.0 + after) is not None) == good
    assert len(transfers) == 0


def test_a_newer_transfer_of_a_seat_replaces_the_older_and_no_other() -> None:
    transfers = Transfers()
    old, elsewhere, beside = transfers.give("A", "0", 0.0), transfers.give("B", "0", 0.0), transfers.give("A", "1", 0.0)
    new = transfers.give("A", "0", 1.0)
    assert transfers.take(old, "token", 2.0) is None
    assert transfers.take(new, "token", 2.0) == ("A", "0")
    assert transfers.take(elsewhere, "token", 2.0) == ("B", "0")
    assert transfers.take(beside, "token", 2.0) == ("A", "1")


def test_a_secret_that_was_never_given_moves_nobody() -> None:
    transfers = Transfers()
    secret = transfers.give("A", "0", 0.0)
    for guess in ("", secret[:-1], secret + "A", hash_token(secret), "\ud800", "x" * 10_000):
        assert transfers.take(guess, "token", 0.0) is None
    assert transfers.take(secret, "token", 0.0) == ("A", "0")


def test_only_the_newest_transfers_are_kept_and_those_that_ended_are_not() -> None:
    transfers = Transfers(seconds=300, most=5)
    given_out = [transfers.give(f"T{number}", "0", float(number)) for number in range(8)]
    assert len(transfers) == 5
    assert [transfers.take(secret, "token", 8.0) is not None for secret in given_out] == [False] * 3 + [True] * 5
    for number in range(5):
        transfers.give(f"T{number}", "0", 100.0)
    transfers.give("U", "0", 400.0)
    assert len(transfers) == 1


def test_a_transfer_keeps_no_secret() -> None:
    transfers = Transfers()
    secret = transfers.give("A", "0", 0.0)
    assert secret not in repr(vars(transfers))
    assert hash_token(secret) in repr(vars(transfers))


def doubtful(source: str) -> set[str]:
    """What the source takes from dice or from the clock on the wall: names of modules and of functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name | ast.Attribute):
            owner = node.value.id if isinstance(node.value, ast.Name) else node.value.attr
            found.add(f"{owner}.{node.attr}")
    return found & (DICE | WALL_CLOCKS)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import random", {"random"}),
        ("from random import choice", {"random"}),
        ("def f():\n    import os, random as r", {"random"}),
        ("import uuid", {"uuid"}),
        ("import time\nt = time.time()", {"time.time"}),
        ("from time import time", {"time.time"}),
        ("import datetime\nt = datetime.datetime.now()", {"datetime.now"}),
        ("import secrets, time\nt = time.monotonic()", set()),
        ("from .random import x\nclock.time()\nloop.time()", set()),
    ],
)
def test_dice_and_clocks_are_found(source: str, found: set[str]) -> None:
    assert doubtful(source) == found


def test_no_dice_and_no_clock_where_secrets_are_made() -> None:
    files = [path for room in ("server", "wire") for path in (ROOM / room).rglob("*.py")]
    assert ROOM / "server" / "identity.py" in files
    for path in files:
        name = path.relative_to(ROOM).as_posix()
        found = doubtful(path.read_text(encoding="utf-8"))
        assert not found & DICE or name in MAY_THROW_DICE, f"{name} throws dice: {found}"
        assert not found & WALL_CLOCKS or name in MAY_READ_THE_CLOCK, f"{name} reads the clock: {found}"


def test_hashes_of_addresses_outlive_a_restart_and_need_the_key(tmp_path: Path) -> None:
    path = tmp_path / "server.key"
    first, again, other = AddressHashes(path), AddressHashes(path), AddressHashes()
    for hashes in (first, again, other):
        hashes.load()
    assert first.of("192.0.2.7") == again.of("192.0.2.7") != other.of("192.0.2.7")
    assert first.of("192.0.2.7") != first.of("192.0.2.8")
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_a_damaged_key_is_named(tmp_path: Path) -> None:
    path = tmp_path / "server.key"
    path.write_bytes(b"short")
    with pytest.raises(OSError, match=r"server\.key is not a key"):
        AddressHashes(path).load()
