"""The secret of a match: 256 bits that decide every card, and the commitment that proves it was not changed.

The hash of the secret is published before the match and the secret after it.  The secret is the seed, unless seats
added values of their own: then both together give it.  A seat pledges its value once it has seen the commitment, and
opens it when nothing can be chosen any more: with one honest value, nobody has chosen the deal.  None of this proves
that whoever held the secret never looked at it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from .errors import BadOption

BYTES = 32
COMMITMENT_PREFIX = b"flipdeck commitment\n"  # hashed before the secret
PLEDGE_PREFIX = b"flipdeck pledge\n"  # hashed before the commitment and a value
VALUES_PREFIX = b"flipdeck seed of values\n"  # hashed before the secret and the values
_HEX = re.compile(r"[0-9a-f]{64}")


def seed_of(value: object) -> bytes:
    """32 bytes as they are, 64 hex digits as those bytes, any other text hashed."""
    if isinstance(value, bytes) and len(value) == BYTES:
        return value
    if not isinstance(value, str):
        raise BadOption("bad-seed", kind=_kind(value))  # never the value: it may be a secret
    if _HEX.fullmatch(value):
        return bytes.fromhex(value)
    return _sha256(b"flipdeck seed text\n" + value.encode("utf-8", "surrogatepass"))


def value_of(value: object) -> bytes:
    """What a seat adds to the secret of a match."""
    if isinstance(value, bytes) and len(value) == BYTES:
        return value
    raise BadOption("bad-value", kind=_kind(value))


def _kind(value: object) -> str:
    return f"{len(value)} bytes" if isinstance(value, bytes) else type(value).__name__


def commitment_of(secret: bytes) -> str:
    return _sha256(COMMITMENT_PREFIX + secret).hex()


def pledge_of(commitment: str, value: bytes) -> str:
    """What a seat shows of its value before the match; it is bound to one secret by the commitment to that."""
    return _sha256(PLEDGE_PREFIX + bytes.fromhex(commitment) + value_of(value)).hex()


def seed_with_values(secret: bytes, values: Mapping[int, bytes]) -> bytes:
    """The seed of a match to which seats added values of their own; without any it is the secret itself."""
    if not values:
        return secret
    return _sha256(VALUES_PREFIX + secret + b"".join(bytes([seat]) + values[seat] for seat in sorted(values)))


def derived_seed(seed: bytes, purpose: str) -> bytes:
    """A seed for dice that decide no card, such as a bot's: it tells nothing about the seed itself."""
    return _sha256(b"flipdeck derived\n" + purpose.encode() + b"\n" + seed)


def _sha256(data: bytes) -> bytes:
    import hashlib  # slow to load, and not needed to know what a seed is

    return hashlib.sha256(data).digest()


def key_words(seed: bytes) -> list[int]:
    """The seed as the key of ``rules.chance``: eight words of 32 bits."""
    return [int.from_bytes(seed[i : i + 4], "little") for i in range(0, BYTES, 4)]
