"""Shuffles: ChaCha8 under the 256-bit secret of the match, and a stream of its own for every use.

A stream is named by purpose, round and number, so that no shuffle says anything about another one.  All words have
32 bits and no number here reaches 2**63: so Python and compiled code agree to the bit.
"""

from __future__ import annotations

from ..state import Game

MASK = 0xFFFFFFFF
# what a stream is for
PAIRING, DEALER, DEAL, OPENING, RESHUFFLE = 1, 2, 3, 4, 5


def quarter(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    a = (a + b) & MASK
    d ^= a
    d = (d << 16 | d >> 16) & MASK
    c = (c + d) & MASK
    b ^= c
    b = (b << 12 | b >> 20) & MASK
    a = (a + b) & MASK
    d ^= a
    d = (d << 8 | d >> 24) & MASK
    c = (c + d) & MASK
    b ^= c
    b = (b << 7 | b >> 25) & MASK
    return a, b, c, d


def refill(g: Game) -> None:
    """The next 16 words: one block of ChaCha8 over constants, key, block and the name of the stream."""
    k, w = g.key, g.words
    a0, a1, a2, a3 = 0x61707865, 0x3320646E, 0x79622D32, 0x6B206574
    b0, b1, b2, b3 = k[0], k[1], k[2], k[3]
    c0, c1, c2, c3 = k[4], k[5], k[6], k[7]
    d0, d1, d2, d3 = g.block, g.purpose, g.round, g.shuffles
    for _ in range(4):
        a0, b0, c0, d0 = quarter(a0, b0, c0, d0)
        a1, b1, c1, d1 = quarter(a1, b1, c1, d1)
        a2, b2, c2, d2 = quarter(a2, b2, c2, d2)
        a3, b3, c3, d3 = quarter(a3, b3, c3, d3)
        a0, b1, c2, d3 = quarter(a0, b1, c2, d3)
        a1, b2, c3, d0 = quarter(a1, b2, c3, d0)
        a2, b3, c0, d1 = quarter(a2, b3, c0, d1)
        a3, b0, c1, d2 = quarter(a3, b0, c1, d2)
    w[0], w[1] = a0 + 0x61707865 & MASK, a1 + 0x3320646E & MASK
    w[2], w[3] = a2 + 0x79622D32 & MASK, a3 + 0x6B206574 & MASK
    w[4], w[5], w[6], w[7] = b0 + k[0] & MASK, b1 + k[1] & MASK, b2 + k[2] & MASK, b3 + k[3] & MASK
    w[8], w[9], w[10], w[11] = c0 + k[4] & MASK, c1 + k[5] & MASK, c2 + k[6] & MASK, c3 + k[7] & MASK
    w[12], w[13] = d0 + g.block & MASK, d1 + g.purpose & MASK
    w[14], w[15] = d2 + g.round & MASK, d3 + g.shuffles & MASK
    g.block += 1
    g.words_used = 0


def open_stream(g: Game, purpose: int, number: int) -> None:
    g.purpose, g.shuffles = purpose, number
    g.block, g.words_used = 0, 16


def random_word(g: Game) -> int:
    if g.words_used == 16:
        refill(g)
    g.words_used += 1
    return g.words[g.words_used - 1]


def random_below(g: Game, n: int) -> int:
    """0..n-1, each exactly as likely: a word that would favor some is thrown away."""
    product = random_word(g) * n
    while product & MASK < n and product & MASK < 0x100000000 % n:
        product = random_word(g) * n
    return product >> 32


def shuffle(g: Game, cards: list[int], first: int, size: int) -> None:
    shuffle_top(g, cards, first, size, size - 1)


def shuffle_top(g: Game, cards: list[int], first: int, size: int, top: int) -> None:
    """The last ``top`` cards as ``shuffle`` would leave them: it begins with those, and never comes back to them."""
    for i in range(size - 1, size - 1 - top, -1):
        j = random_below(g, i + 1)
        cards[first + i], cards[first + j] = cards[first + j], cards[first + i]
