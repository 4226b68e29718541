"""What both ends of a websocket connection agree on: close codes, which of them are final, and how often to ping."""

from __future__ import annotations

from .errors import Code

POLICY, TRY_LATER = 1008, 1013
# by the code of the ``bye``; any other closes with ``POLICY``
CLOSE_CODES: dict[Code, int] = {
    "shutting-down": 1012,
    "unavailable": 1011,
    "internal-error": 1011,
    "limit": TRY_LATER,
    "newer-table": TRY_LATER,
    "too-big": 1009,
    "replaced": 4000,
    "removed": 4001,
    "too-slow": 4002,
    "closed": 4003,
    "left": 4004,
    "moved": 4005,
    "closed-by-operator": 4010,
    "kept-out": 4011,
    "table-elsewhere": 4012,
}
# After these a client connects again by itself, as it does when the connection was lost; after any other of ours only
# when the player asks for it.
RECONNECT = frozenset(
    CLOSE_CODES[code]
    for code in ("shutting-down", "unavailable", "internal-error", "limit", "too-slow", "table-elsewhere")
)
FINAL = frozenset({POLICY, *CLOSE_CODES.values()}) - RECONNECT

ELSEWHERE_SECONDS = 2  # until a client asks again for a table that another server has
PING_SECONDS = 20.0  # at most so long until the server says something
