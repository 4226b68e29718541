"""Origin checks: which pages may connect, namely our own and those listed, exactly as listed.

Browsers let any page open a websocket and name it in ``Origin``: refusing is up to the server.
"""

from __future__ import annotations

import re

PORTS = {"http": 80, "https": 443}

_HOST = r"(?P<host>[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::(?P<port>[1-9][0-9]{0,4}))?"
_HOST_HEADER = re.compile(_HOST)
_ORIGIN = re.compile(rf"(?P<scheme>https?)://{_HOST}")


def is_allowed(origin: str | None, host: str | None, listed: frozenset[str]) -> bool:
    """May a page of this origin connect to a server that was called by this ``Host``?"""
    page = _ORIGIN.fullmatch(origin or "")
    if not page:
        return False
    if origin in listed:
        return True
    ours = _HOST_HEADER.fullmatch(host or "")
    return ours is not None and _place(page, page["scheme"]) == _place(ours, page["scheme"])


def is_origin(text: str) -> bool:
    """An origin as browsers write it."""
    return _ORIGIN.fullmatch(text) is not None


def _place(found: re.Match[str], scheme: str) -> tuple[str, int]:
    """Host and port; the default port is that of the scheme."""
    return found["host"].lower(), int(found["port"] or PORTS[scheme])
