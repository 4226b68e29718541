"""Shuffles and seeds: the right cipher, no favored number, a stream of its own for every use."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import pairwise, permutations
from pathlib import Path

import pytest

from flipdeck.core.errors import BadOption
from flipdeck.core.match import Match
from flipdeck.core.rules.chance import (
    DEAL,
    DEALER,
    MASK,
    OPENING,
    PAIRING,
    RESHUFFLE,
    open_stream,
    random_below,
    random_word,
    shuffle,
)
from flipdeck.core.rules.deal import new_round
from flipdeck.core.rules.piles import turn_pile_into_stock
from flipdeck.core.seeds import commitment_of, derived_seed, key_words, pledge_of, seed_of, seed_with_values
from flipdeck.core.state import Game


# ---------------------------------------------------------------- the cipher, once more and plainly
def chacha(key: bytes, tail: list[int], rounds: int) -> bytes:
    """One block, written from the definition of the cipher and not from ours."""
    start = [int.from_bytes(b"expand 32-byte k"[i : i + 4], "little") for i in range(0, 16, 4)]
    start += [int.from_bytes(key[i : i + 4], "little") for i in range(0, 32, 4)] + tail
    x = start[:]

    def turn(word: int, by: int) -> int:
        return (word << by | word >> 32 - by) & 0xFFFFFFFF

    columns = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)]
    diagonals = [(0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]
    for number in range(rounds):
        for a, b, c, d in diagonals if number % 2 else columns:
            for left, right, target, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[left] = x[left] + x[right] & 0xFFFFFFFF
                x[target] = turn(x[target] ^ x[left], by)
    words = [word + first & 0xFFFFFFFF for word, first in zip(x, start, strict=True)]
    return b"".join(word.to_bytes(4, "little") for word in words)


def words_of(g: Game, number: int) -> bytes:
    return b"".join(random_word(g).to_bytes(4, "little") for _ in range(number))


def game(seed: str = "chance", round_number: int = 0) -> Game:
    g = Game(round=round_number)
    g.key[:] = key_words(seed_of(seed))
    return g


def test_the_plain_cipher_gives_the_published_block_of_chacha20() -> None:
    key, tail = bytes(range(32)), [1, 0x09000000, 0x4A000000, 0]
    assert chacha(key, tail, 20).hex().startswith("10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c06803")


def test_the_first_block_under_a_key_of_zeros_is_the_published_one() -> None:
    known = (
        "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
        "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42"
    )
    assert chacha(bytes(32), [0, 0, 0, 0], 8).hex() == known
    g = Game()
    open_stream(g, 0, 0)
    assert words_of(g, 16).hex() == known


@pytest.mark.parametrize("seed", ["a", "b", "some other match"])
def test_every_stream_is_the_cipher_over_block_purpose_round_and_number(seed: str) -> None:
    g = game(seed, 7)
    open_stream(g, DEAL, 3)
    blocks = b"".join(chacha(seed_of(seed), [block, DEAL, 7, 3], 8) for block in range(5))
    assert words_of(g, 80) == blocks


# ---------------------------------------------------------------- numbers
@pytest.mark.parametrize("n", [1, 2, 3, 7, 10, 52, 112])
def test_every_number_below_n_comes_about_as_often(n: int) -> None:
    g = game("below")
    open_stream(g, DEAL, n)
    draws = 400 * n
    counts = Counter(random_below(g, n) for _ in range(draws))
    assert set(counts) == set(range(n))
    chi_square = sum((got - 400) ** 2 / 400 for got in counts.values())
    assert chi_square < n + 5 * (2 * n) ** 0.5


def fed(*words: int) -> Game:
    """A game whose next random words are these."""
    g = Game()
    g.words[:] = [*words, *[0] * (16 - len(words))]
    g.words_used = 0
    return g


def test_a_word_that_would_favor_a_number_is_thrown_away() -> None:
    # 2**32 = 3 * 1431655765 + 1, so one word in 2**32 has to go: 0
    g = fed(0, 1 << 31)
    assert random_below(g, 3) == 1
    assert g.words_used == 2
    # 2**32 % 7 == 4: the four words whose product with 7 ends below 4 have to go
    refused = [word for word in (-(-number * 2**32 // 7) for number in range(7)) if word * 7 & MASK < 4]
    assert len(refused) == 4
    g = fed(*refused, MASK)
    assert random_below(g, 7) == 6
    assert g.words_used == 5


def test_a_small_remainder_that_favors_nobody_is_kept() -> None:
    # 2**32 % 8 == 0: nothing is ever thrown away
    g = fed(0)
    assert random_below(g, 8) == 0
    assert g.words_used == 1
    # with 6, 2**32 % 6 == 4: a product that ends in 4 or 5 is below 6 and stays
    word = (2 * 2**32 + 4) // 6
    assert word * 6 & MASK == 4
    g = fed(word)
    assert random_below(g, 6) == 2
    assert g.words_used == 1


def test_each_number_is_exactly_as_likely_where_it_can_be_counted() -> None:
    """The kept words of a narrower generator, counted whole: the same arithmetic with 12 bits."""
    bits, size = 12, 1 << 12
    for n in range(1, 113):
        kept = Counter(word * n >> bits for word in range(size) if not word * n % size < size % n)
        assert set(kept.values()) == {size // n}


# ---------------------------------------------------------------- shuffles
def test_every_order_of_four_cards_is_as_likely() -> None:
    g = game("orders")
    open_stream(g, DEAL, 0)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(24 * 300):
        cards = [0, 1, 2, 3]
        shuffle(g, cards, 0, 4)
        counts[tuple(cards)] += 1
    assert set(counts) == set(permutations(range(4)))
    chi_square = sum((got - 300) ** 2 / 300 for got in counts.values())
    assert chi_square < 49.7  # 23 degrees of freedom, one in a thousand


def test_every_card_of_the_deck_comes_to_every_place() -> None:
    g = game("places")
    open_stream(g, DEAL, 0)
    places: Counter[tuple[int, int]] = Counter()
    rounds = 600
    for _ in range(rounds):
        cards = list(range(12))
        shuffle(g, cards, 0, 12)
        places.update(enumerate(cards))
    want = rounds / 12
    chi_square = sum((places[place, card] - want) ** 2 / want for place in range(12) for card in range(12))
    assert chi_square < 175  # 121 degrees of freedom, one in a thousand


def test_a_shuffle_moves_nothing_outside_its_part() -> None:
    g = game("part")
    open_stream(g, DEAL, 0)
    cards = list(range(20))
    shuffle(g, cards, 5, 10)
    assert (cards[:5], cards[15:]) == (list(range(5)), list(range(15, 20)))
    assert sorted(cards) == list(range(20))


# ---------------------------------------------------------------- streams
def test_purpose_round_and_number_each_name_another_stream() -> None:
    streams = {}
    for purpose in (PAIRING, DEALER, DEAL, OPENING, RESHUFFLE):
        for number_of_round in (0, 1, 2):
            for number in (0, 1, 2):
                g = game(round_number=number_of_round)
                open_stream(g, purpose, number)
                streams[purpose, number_of_round, number] = words_of(g, 16)
    assert len(set(streams.values())) == len(streams) == 45


def test_a_stream_does_not_depend_on_what_was_drawn_before() -> None:
    fresh, used = game(), game()
    open_stream(used, PAIRING, 0)
    words_of(used, 37)
    for g in (fresh, used):
        open_stream(g, DEAL, 0)
    assert words_of(fresh, 40) == words_of(used, 40)


def test_the_pairing_stays_for_the_whole_match_and_differs_between_matches() -> None:
    match = Match(players=2, seed="pairing")
    first = match._game.faces[:]
    orders = []
    for dealer in (0, 1, 0):
        new_round(match._game, dealer)
        orders.append(match._game.stock[:])
        assert match._game.faces == first
    assert len({tuple(order) for order in orders}) == 3, "every deal is another one"
    assert Match(players=2, seed="other pairing")._game.faces != first


def test_two_reshuffles_of_the_same_cards_differ() -> None:
    g = game("reshuffle", 1)
    orders = []
    for _ in range(3):
        g.pile[:60] = range(60)
        g.pile_size, g.stock_size = 60, 0
        turn_pile_into_stock(g)
        orders.append(tuple(g.stock[: g.stock_size]))
    assert all(sorted(order) == list(range(59)) for order in orders)
    assert all(a != b for a, b in pairwise(orders))
    assert g.pile[0] == 59


def test_the_same_seed_gives_the_same_match() -> None:
    states = [Match("argentina", 5, seed=seed).secret_state() for seed in ("one", "one", "two")]
    assert states[0] == states[1] != states[2]


# ---------------------------------------------------------------- seeds
def test_a_text_becomes_256_bits_and_64_hex_digits_or_32_bytes_are_taken_as_they_are() -> None:
    digits = "00112233445566778899aabbccddeeff" * 2
    assert seed_of(digits) == bytes.fromhex(digits)
    assert seed_of(bytes(range(32))) == bytes(range(32))
    assert seed_of("abc") == hashlib.sha256(b"flipdeck seed text\nabc").digest()
    texts = ["", "a", "b", "ä", "\udc80", digits.upper(), digits[:-1], digits + "0", "x" * 64]
    seeds = [seed_of(text) for text in texts]
    assert len(set(seeds)) == len(texts)
    assert {len(seed) for seed in seeds} == {32}


@pytest.mark.parametrize("value", [None, 7, 1.5, b"", b"short", bytes(31), bytes(33), bytearray(32), ["abc"], True])
def test_what_is_no_seed_is_refused(value: object) -> None:
    with pytest.raises(BadOption, match="A seed is a text or 32 bytes") as refused:
        seed_of(value)
    assert refused.value.code == "bad-option"


def test_pledges_and_seeds_with_values_are_as_the_document_says_byte_for_byte() -> None:
    secret, value = bytes([1]) * 32, bytes([2]) * 32
    commitment = commitment_of(secret)
    pledge = hashlib.sha256(b"flipdeck pledge\n" + bytes.fromhex(commitment) + value).hexdigest()
    assert pledge_of(commitment, value) == pledge
    seed = hashlib.sha256(b"flipdeck seed of values\n" + secret + b"\0" + value).hexdigest()
    assert seed_with_values(secret, {0: value}).hex() == seed
    document = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text(encoding="utf-8")
    assert f"commitment {commitment}\npledge     {pledge}\nseed       {seed}\n" in document
    with pytest.raises(BadOption):
        pledge_of(commitment, b"short")


def test_a_pledge_is_bound_to_its_commitment_and_tells_no_value() -> None:
    values = [bytes([n]) * 32 for n in range(3)]
    commitments = [commitment_of(value) for value in values]
    pledges = {pledge_of(commitment, value) for commitment in commitments for value in values}
    assert len(pledges) == 9
    assert not pledges & {*commitments, *(value.hex() for value in values)}


def test_the_commitment_of_a_seed_never_changes() -> None:
    assert commitment_of(bytes(32)) == hashlib.sha256(b"flipdeck commitment\n" + bytes(32)).hexdigest()
    assert commitment_of(bytes(32)) == "874de9c4b171441e345d2c1522dfb9ebf80c109a68d8652daf89014235c56efb"
    assert Match(seed=bytes(32)).commitment == commitment_of(bytes(32))
    assert commitment_of(seed_of("a")) != commitment_of(seed_of("b"))


def test_a_derived_seed_is_another_one_for_every_purpose() -> None:
    seed = seed_of("abc")
    derived = [derived_seed(seed, purpose) for purpose in ("bot 0", "bot 1", "")]
    assert len({seed, bytes.fromhex(commitment_of(seed)), *derived}) == 5
    assert derived[0] == derived_seed(seed, "bot 0")
    assert {len(each) for each in derived} == {32}


def test_the_key_is_the_seed_word_by_word() -> None:
    words = key_words(bytes(range(32)))
    assert words[0] == 0x03020100
    assert b"".join(word.to_bytes(4, "little") for word in words) == bytes(range(32))
