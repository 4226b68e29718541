"""Rate limits (token buckets), concurrency limits, and exponential backoff for guessed codes.

Time is an argument, in seconds of a monotonic clock.  Whatever is kept for each address is bounded: the least recently
used key goes first.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections import Counter
from collections.abc import AsyncIterator, Callable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import NamedTuple

from .bounded import BoundedDict
from .config import Config

NO_ADDRESS = "unknown"  # shared by all clients without a usable address
LONGEST_ADDRESS = 64
# loopback, private, carrier-grade NAT and link-local: many may share such an address
LOCAL_NETWORKS = tuple(
    ip_network(text)
    for text in (
        *("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16"),
        *("::1/128", "fc00::/7", "fe80::/10"),
    )
)
MOST_DOUBLINGS = 60
MOST_KEPT = 10_000  # keys of each limit: addresses or seats
CHAT_RATE, CHAT_BURST = 0.5, 5
WATCHERS_CHAT_RATE, WATCHERS_CHAT_BURST = 1.0, 10


class BackoffTimes(NamedTuple):
    """How long whoever guesses waits: see ``Backoff``."""

    free: int
    base: float
    longest: float

    @property
    def quiet(self) -> float:
        """After so long without a wrong guess a key is forgotten: ``free`` before the reset, and as many after it."""
        return (2 * self.free + 1) * self.longest


class BucketSize(NamedTuple):
    """Of a token bucket."""

    rate: float
    burst: float


GUESSES = BackoffTimes(free=10, base=1.0, longest=300.0)  # of codes, tokens, transfers and replays, an address
TABLES_MADE = BucketSize(rate=0.5, burst=20.0)  # an address


class TokenBucket:
    """A token bucket: ``burst`` at once, ``rate`` a second sustained.  Every connection has one: it is small."""

    __slots__ = ("_at", "_left", "burst", "rate")

    def __init__(self, rate: float, burst: float) -> None:
        if not (rate > 0 and burst > 0):
            raise ValueError("rate and burst must be positive")
        self.rate = rate
        self.burst = burst
        self._left = burst
        self._at = -math.inf

    def take(self, now: float, amount: float = 1) -> bool:
        """Take so many tokens; False, and none are taken, if there are fewer."""
        if now > self._at:
            self._left = min(self.burst, self._left + (now - self._at) * self.rate)
            self._at = now
        if amount > self._left:
            return False
        self._left -= amount
        return True

    def give_back(self, amount: float = 1) -> None:
        self._left = min(self.burst, self._left + amount)


class TokenBuckets:
    """A token bucket for each key."""

    def __init__(self, rate: float, burst: float, most: int) -> None:
        TokenBucket(rate, burst)  # bad numbers are refused now, not with the first client
        self.rate = rate
        self.burst = burst
        self.most = most
        self._buckets: BoundedDict[str, TokenBucket] = BoundedDict(most)

    def __len__(self) -> int:
        return len(self._buckets)

    def keys(self) -> list[str]:
        """Those seen lately."""
        return list(self._buckets)

    def take(self, key: str, now: float, amount: float = 1) -> bool:
        bucket = self._buckets.recent(key)
        if bucket is None:
            bucket = self._buckets[key] = TokenBucket(self.rate, self.burst)
        return bucket.take(now, amount)

    def give_back(self, key: str, amount: float = 1) -> None:
        """Return what was taken for something that others must not pay for."""
        bucket = self._buckets.get(key)
        if bucket is not None:
            bucket.give_back(amount)


class RateLimits:
    """The rate limits of addresses and seats.  They outlive connections, so that reconnecting gives no new allowance.

    They follow from what one connection may send and from how many connections an address may have, one in ten of them
    busy at a time.
    """

    def __init__(self, config: Config) -> None:
        busy = max(1.0, config.most_per_address / 10)
        each = config.messages_per_second
        # of an address; requests are those of HTTP and handshakes, catch_up counts missed steps
        self.messages = TokenBuckets(busy * each, 2 * busy * each, MOST_KEPT)
        self.requests = TokenBuckets(max(10.0, busy * each / 10), max(200.0, 3 * busy * each), MOST_KEPT)
        self.address_hellos = TokenBuckets(busy * each / 20, max(10.0, busy * each / 2), MOST_KEPT)
        self.catch_up = TokenBuckets(2.5 * busy * each, 25 * busy * each, MOST_KEPT)
        # of a seat, or of all spectators of a table; talk is chat and emotes, of a spectator's address at a table
        self.seat_hellos = TokenBuckets(each / 20, max(10.0, 2 * each, config.most_watchers), MOST_KEPT)
        self.talk = TokenBuckets(CHAT_RATE, CHAT_BURST, MOST_KEPT)
        # of all spectators of a table together, however many addresses they have
        self.watchers_talk = TokenBuckets(WATCHERS_CHAT_RATE, WATCHERS_CHAT_BURST, MOST_KEPT)


class SilentConnections:
    """Connections of each key that have sent nothing yet; beyond the limit the oldest is closed."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._there: dict[str, dict[object, Callable[[], object]]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._there.values()))

    def add(self, key: str, who: object, send_away: Callable[[], object]) -> None:
        there = self._there.setdefault(key, {})
        there[who] = send_away
        if len(there) > self._most:
            first = next(iter(there))
            there.pop(first)()

    def discard(self, key: str, who: object) -> None:
        """Remove a connection that has sent something or closed; unknown ones are ignored."""
        there = self._there.get(key)
        if there is not None:
            there.pop(who, None)
            if not there:
                del self._there[key]


class KeyedCounts:
    """How many there are of each key; keys with none are dropped."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def of(self, key: str) -> int:
        return self._counts[key]

    def increment(self, key: str) -> None:
        self._counts[key] += 1

    def decrement(self, key: str) -> None:
        self._counts[key] -= 1
        if not self._counts[key]:
            del self._counts[key]


class _Guesses:
    """The wrong guesses of one address."""

    __slots__ = ("last", "pardoned", "until", "wrong")

    def __init__(self) -> None:
        self.wrong = 0
        self.last = self.until = -math.inf
        self.pardoned = False


class Backoff:
    """Exponential backoff for wrong guesses: the first ``free`` cost nothing, then each waits twice as long.

    A right guess resets the count, once: otherwise somebody with a table of their own could reset it after every few
    guesses.  A key is forgotten only after so long that waiting gains nothing over guessing on slowly.
    """

    def __init__(self, free: int, base: float, longest: float, most: int) -> None:
        self.free = free
        self.base = base
        self.longest = longest
        self.quiet = BackoffTimes(free, base, longest).quiet
        self._guesses: BoundedDict[str, _Guesses] = BoundedDict(most)  # least recent failure first

    def __len__(self) -> int:
        return len(self._guesses)

    def wait(self, key: str, now: float) -> float:
        """Seconds until this address may guess again; 0 if it may now."""
        guesses = self._guesses.get(key)
        return max(0.0, guesses.until - now) if guesses else 0.0

    def note_failure(self, key: str, now: float) -> None:
        self._forget_quiet(now)
        guesses = self._guesses.recent(key)
        if guesses is None:
            guesses = self._guesses[key] = _Guesses()
        guesses.last = now
        guesses.wrong += 1
        beyond = guesses.wrong - self.free
        if beyond > 0:
            guesses.until = now + min(self.longest, self.base * 2.0 ** min(beyond - 1, MOST_DOUBLINGS))

    def note_wait(self, key: str, seconds: float, now: float) -> None:
        """It waits at least so long, for guesses that were counted elsewhere."""
        guesses = self._guesses.get(key)
        if guesses is None:
            guesses = self._guesses[key] = _Guesses()
        guesses.last = now
        guesses.until = max(guesses.until, now + seconds)

    def note_success(self, key: str) -> bool:
        """Whether wrong guesses were pardoned."""
        guesses = self._guesses.get(key)
        if guesses is None or guesses.pardoned:
            return False
        guesses.wrong = 0
        guesses.until = -math.inf
        guesses.pardoned = True
        return True

    def _forget_quiet(self, now: float) -> None:
        while self._guesses:
            key, first = next(iter(self._guesses.items()))
            if now - first.last < self.quiet:
                return
            del self._guesses[key]


def address_key(text: str | None) -> str:
    """The key that stands for a client address: an IPv6 /64 counts as one, as every client has 2⁶⁴ addresses in it."""
    if not text or len(text) > LONGEST_ADDRESS:
        return NO_ADDRESS
    try:
        address: IPv4Address | IPv6Address = ip_address(text.removesuffix("/64"))  # a key is its own key
    except ValueError:
        return NO_ADDRESS
    if isinstance(address, IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return f"{IPv6Address(int(address) >> 64 << 64)}/64"


def is_local(key: str) -> bool:
    """Whether an address, as ``address_key`` gives it, is of this machine or its network, or not known at all."""
    try:
        address = ip_address(key.removesuffix("/64"))
    except ValueError:
        return key == NO_ADDRESS
    # all of ::/64 is taken for loopback: its other addresses are reserved
    return address == IPv6Address(0) or any(address in network for network in LOCAL_NETWORKS)


class KeyedSemaphore:
    """A semaphore for each key: so many at a time, the others wait."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._semaphores: dict[str, tuple[asyncio.Semaphore, set[object]]] = {}

    @contextlib.asynccontextmanager
    async def acquire(self, key: str) -> AsyncIterator[None]:
        semaphore, holders = self._semaphores.setdefault(key, (asyncio.Semaphore(self._width), set()))
        me = object()
        holders.add(me)
        try:
            async with semaphore:
                yield
        finally:
            holders.discard(me)
            if not holders:
                del self._semaphores[key]
