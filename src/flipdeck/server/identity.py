"""Credentials and identifiers: seat tokens, table codes, replay names, seeds, hashes of addresses.

All come from the operating system's secure random source; no clock and no ``random`` has a part in them.  Of a token
only the hash is stored, so that nobody who reads the journal can take a seat.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections import deque
from dataclasses import dataclass
from pathlib import Path

from ..wire.parts import CODE_LENGTH as CODE_LENGTH
from ..wire.parts import CODE_LETTERS as CODE_LETTERS
from .bounded import BoundedDict
from .limits import is_local

REPLAY_LENGTH = 26  # of 5 bits each: 130 bits
DOMAIN = b"flipdeck token 1\0"  # domain separation: the hash of the same text elsewhere differs
ADDRESS_DOMAIN = b"flipdeck address 1\0"
CODE_DOMAIN = b"flipdeck code 1\0"
KEY_BYTES = 32
READY_SECRETS = 64
DASHES = "-_\u2010\u2011\u2012\u2013\u2014\u2212"  # what keyboards and messengers make of a dash
SPACES = " \t\r\n\u00a0\u2009\u202f"
LONGEST_CODE = 40  # separators included

_READ: dict[int, str | None] = {
    **{ord(letter): letter for letter in CODE_LETTERS},
    **{ord(letter.lower()): letter for letter in CODE_LETTERS},
    **dict.fromkeys(map(ord, "oO"), "0"),
    **dict.fromkeys(map(ord, "iIlL"), "1"),
    **dict.fromkeys(map(ord, DASHES + SPACES), None),
}


def new_token() -> str:
    """128 random bits as 22 URL-safe characters."""
    return secrets.token_urlsafe(16)


def hash_token(token: str) -> str:
    """The stored form of a token.  Tokens are random already: a slow hash would add nothing."""
    return hashlib.sha256(DOMAIN + token.encode("utf-8", "surrogatepass")).hexdigest()


def same(hash_a: str, hash_b: str) -> bool:
    """Equality in constant time."""
    return secrets.compare_digest(hash_a.encode(), hash_b.encode())


@dataclass(frozen=True, slots=True)
class PeerAddress:
    """Where somebody comes from."""

    hashed: str  # with the key of the server
    local: bool  # of this machine or its network, or not known: many may share it


def new_key() -> bytes:
    return secrets.token_bytes(KEY_BYTES)


class AddressHashes:
    """Keyed hashes of addresses, the form in which they are stored: without the key nobody can try all addresses.
    The same key turns the token of a request for a table into its code.

    The key is in a file of its own, made with the first start; without a file it lasts as long as this object.  Several
    servers have one key for all (``SharedState.settle_key``).
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self.key = new_key()

    def stored(self) -> bytes | None:
        """The key in the file; None if there is none.  OSError if what is there is no key."""
        if self._path is None or not self._path.exists():
            return None
        key = self._path.read_bytes()
        if len(key) != KEY_BYTES:
            raise OSError(f"{self._path} is not a key of {KEY_BYTES} bytes; without it bans are forgotten")
        return key

    def load(self) -> None:
        """Read the key, or write the first one; only the owner of the folder may.  OSError if neither is possible."""
        if self._path is None:
            return
        stored = self.stored()
        if stored is not None:
            self.key = stored
            return
        new = self._path.with_suffix(".new")  # the file is whole or not there
        new.unlink(missing_ok=True)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(self.key)
            file.flush()
            os.fsync(file.fileno())
        new.replace(self._path)

    def peer(self, address: str) -> PeerAddress:
        return PeerAddress(self.of(address), is_local(address))

    def of(self, address: str) -> str:
        """``address`` as ``limits.address_key`` gives it."""
        text = ADDRESS_DOMAIN + address.encode("utf-8", "surrogatepass")
        return hashlib.blake2b(text, key=self.key, digest_size=16).hexdigest()

    def code_for(self, token: str) -> str:
        """The code of the table that is created with this token: always the same, and nobody can choose it."""
        text = CODE_DOMAIN + token.encode("utf-8", "surrogatepass")
        digest = hashlib.blake2b(text, key=self.key, digest_size=CODE_LENGTH).digest()
        return "".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in digest)


def new_code() -> str:
    """A random table code, one of 2⁴⁰."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def read_code(text: str) -> str | None:
    """Parse a table code in any spelling; None if it is invalid."""
    if len(text) > LONGEST_CODE:
        return None
    code = text.translate(_READ)
    return code if len(code) == CODE_LENGTH and all(letter in CODE_LETTERS for letter in code) else None


def shown_code(code: str) -> str:
    """As people read it out: in two halves."""
    return f"{code[: CODE_LENGTH // 2]}-{code[CODE_LENGTH // 2 :]}"


def new_replay_name() -> str:
    """The name of a replay is a capability: whoever has it may read the record, and nobody can guess it."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(REPLAY_LENGTH)).lower()


def new_seed() -> bytes:
    """The entropy of a match: 256 bits."""
    return secrets.token_bytes(32)


class SecretStock:
    """Secrets of matches, chosen ahead: none is drawn after the request that it answers was read.

    The one that has waited longest is taken, and another drawn in its place, so that requests that were read together
    get secrets from before all of them.
    """

    def __init__(self) -> None:
        self._ready = deque(new_seed() for _ in range(READY_SECRETS))

    def take(self) -> bytes:
        self._ready.append(new_seed())
        return self._ready.popleft()


class Transfers:
    """One-time secrets that move a seat to another device, good for a short time.

    A seat has one at most, the newest.  Beyond the bound the oldest go first; their owners ask again.  Whoever has used
    one may use it again for the same token, as long as it lasts: the answer may have been lost.
    """

    def __init__(self, seconds: float = 300, most: int = 10_000) -> None:
        self.seconds = seconds
        self._given: BoundedDict[str, tuple[str, str, float]] = BoundedDict(most)  # by hash; the first expires first
        self._used: BoundedDict[str, tuple[str, str, float, str]] = BoundedDict(most)  # … and the token it was used for
        self._of_seat: BoundedDict[tuple[str, str], str] = BoundedDict(most)  # the same items in the same order

    def __len__(self) -> int:
        return len(self._given)

    def give(self, table: str, seat: str, now: float) -> str:
        """``seat`` is identified by the hash of one of its tokens: its number may be somebody else's tomorrow."""
        self._forget(self._of_seat.get((table, seat)))
        self._forget_ended(now)
        secret = new_token()
        kept = hash_token(secret)
        self._given[kept] = (table, seat, now + self.seconds)
        self._of_seat[table, seat] = kept
        return secret

    def table_of(self, secret: str, token: str, now: float) -> str | None:
        """The table that ``take`` would return; nothing is used up."""
        kept = hash_token(secret)
        table, _, ends, used_for = self._used.get(kept) or (*self._given.get(kept, ("", "", now)), token)
        return table if now < ends and same(used_for, token) else None

    def take(self, secret: str, token: str, now: float) -> tuple[str, str] | None:
        """The table and the seat it was given for; None if it is unknown, expired, or used for another token."""
        kept = hash_token(secret)
        given = self._forget(kept)
        if given is not None:
            self._used[kept] = (*given, token)
        table, seat, ends, used_for = self._used.get(kept, ("", "", now, ""))
        return (table, seat) if now < ends and same(used_for, token) else None

    def _forget(self, kept: str | None) -> tuple[str, str, float] | None:
        found = self._given.pop(kept, None) if kept else None
        if found:
            del self._of_seat[found[0], found[1]]
        return found

    def _forget_ended(self, now: float) -> None:
        while self._given:
            first, (_, _, ends) = next(iter(self._given.items()))
            if now < ends:
                break
            self._forget(first)
        while self._used:
            used, (_, _, ends, _) = next(iter(self._used.items()))
            if now < ends:
                break
            del self._used[used]
