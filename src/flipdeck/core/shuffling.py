"""The large shuffles of ``rules.chance``, vectorized for the interpreter: the pairing of a match, the deck of a round.

All blocks of ChaCha8 that a shuffle needs are computed at once, side by side in the lanes of long integers: the
interpreter takes hardly longer for ten words than for one.  Compiled code has no long integers and needs none.  The
shuffles are the same to the bit, and a test holds them to it.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from .codes import DARK, LIGHT, nth_face
from .rules.chance import DEAL, MASK, PAIRING, open_stream
from .rules.deal import deal, is_paired_at_random, new_match, start_round
from .rules.hands import index_faces
from .state import Game

BLOCK = 16  # words
_LANE = 64  # bits of a long number for each word: a sum or a shift needs more than its own 32
_CONSTANTS = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)
_COLUMNS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
_DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))


def new_match_quickly(g: Game) -> None:
    """``rules.deal.new_match``."""
    if not is_paired_at_random(g):
        new_match(g)
        return
    for card in range(g.deck):
        g.faces[LIGHT + card] = g.faces[DARK + card] = nth_face(card)
    shuffle_quickly(g, PAIRING, g.faces, DARK, g.deck)
    index_faces(g)
    g.round = g.winners = g.log_size = 0
    g.scores[: g.players] = [0] * g.players


def new_round_quickly(g: Game, dealer: int) -> None:
    """``rules.deal.new_round``."""
    start_round(g, dealer)
    g.stock[: g.deck] = range(g.deck)
    shuffle_quickly(g, DEAL, g.stock, 0, g.deck)
    deal(g)


def shuffle_quickly(g: Game, purpose: int, cards: list[int], first: int, size: int) -> None:
    """``open_stream`` and ``shuffle`` of ``rules.chance``; afterwards the stream is where it would be."""
    open_stream(g, purpose, 0)
    words: list[int] = []
    used = 0
    for i in range(size - 1, 0, -1):
        n = i + 1
        while True:
            if used == len(words):
                words += blocks_of(g, used // BLOCK, (n + BLOCK - 1) // BLOCK)
            product = words[used] * n
            used += 1
            if product & MASK >= n or product & MASK >= 0x100000000 % n:
                break
        j = product >> 32
        cards[first + i], cards[first + j] = cards[first + j], cards[first + i]
    g.block = (used + BLOCK - 1) // BLOCK
    g.words[:] = words[(g.block - 1) * BLOCK : g.block * BLOCK]
    g.words_used = used - (g.block - 1) * BLOCK


def blocks_of(g: Game, first: int, count: int) -> list[int]:
    """The words of some blocks of the stream: ``rules.chance.refill`` for all of them at once."""
    each = sum(1 << _LANE * number for number in range(count))
    mask = MASK * each
    start = [word * each for word in (*_CONSTANTS, *g.key, first, g.purpose, g.round, g.shuffles)]
    start[12] += sum(number << _LANE * number for number in range(count))
    s = start[:]
    for _ in range(4):
        for a, b, c, d in (*_COLUMNS, *_DIAGONALS):
            s[a], s[b], s[c], s[d] = _quarter(s[a], s[b], s[c], s[d], mask)
    rows = [_lanes((row + before) & mask, count) for row, before in zip(s, start, strict=True)]
    return [word for block in zip(*rows, strict=True) for word in block]


def _quarter(a: int, b: int, c: int, d: int, mask: int) -> tuple[int, int, int, int]:
    a = a + b & mask
    d ^= a
    d = (d << 16 | d >> 16) & mask
    c = c + d & mask
    b ^= c
    b = (b << 12 | b >> 20) & mask
    a = a + b & mask
    d ^= a
    d = (d << 8 | d >> 24) & mask
    c = c + d & mask
    b ^= c
    b = (b << 7 | b >> 25) & mask
    return a, b, c, d


def _lanes(row: int, count: int) -> Sequence[int]:
    return struct.unpack(f"<{count}Q", row.to_bytes(count * _LANE // 8, "little"))
