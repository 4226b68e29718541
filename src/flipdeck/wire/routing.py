"""The routing key of a table: 16 bits of a hash of its code, in the address of what is about it.

A proxy in front of several servers sends what has the same key to the same one, and so the people of a table meet.  It
is a hint and no right: a request without it, or with a wrong one, is served all the same.  The code itself must not be
in an address, where logs keep it, and neither must a longer hash: of 40 bits, one could search for the code.
65,536 keys are enough to spread tables evenly, and each is shared by 16 million codes.
"""

from __future__ import annotations

import hashlib

ROUTE_PARAMETER = "t"  # of the query: /ws?t=5f0e
ROUTE_PREFIX = b"flipdeck route\n"  # hashed before the code
ROUTE_DIGITS = 4  # hexadecimal


def route_of(code: str) -> str:
    """The key of a table; its code as the server writes it, without a dash."""
    return hashlib.sha256(ROUTE_PREFIX + code.encode()).hexdigest()[:ROUTE_DIGITS]


def routed(path: str, code: str) -> str:
    """The path with the key of a table in its query."""
    return f"{path}?{ROUTE_PARAMETER}={route_of(code)}"
