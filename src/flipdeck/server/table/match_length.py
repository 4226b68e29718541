"""How long a match may be: with the round in which it gets there it is over, and nobody has won.

Rounds end by themselves (``entries.MOST_MOVES``), matches need not: where rounds are void, or the target is a million,
one could go on for ever.  All that is done with a match as a whole is bounded by this: its record and the reading of
it, its snapshot, which is encoded in one piece, the list of its rounds in every description of the table.  They are no
settings: a replay of the same entries must give the same table on any server.
"""

from __future__ import annotations

MOST_ROUNDS = 300  # 35 KB of a description at a table of ten
MOST_MATCH_MOVES = 40_000  # days of play; 0.6 MB of a record or a snapshot, 2 ms to encode


def is_too_long(rounds: int, moves: int) -> bool:
    """Whether a match that has had so many is over."""
    return rounds >= MOST_ROUNDS or moves >= MOST_MATCH_MOVES
