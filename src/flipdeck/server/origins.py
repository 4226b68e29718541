"""Origin and Host checks: which pages may connect, and by which names this server is called.

Browsers let any page open a websocket and name it in ``Origin``: refusing is up to the server.  Programs send no
``Origin``, and need none: no cookie speaks for anybody here, the token is in the first message.

Against DNS rebinding ``Host`` is checked too: a foreign page whose name was made to resolve to this machine counts as
the same origin for its browser, but the name is still its own.  An address can't be rebound, only a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import ip_address

from ..wire.errors import TableRefusal

PORTS = {"http": 80, "https": 443}
EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104  # to compare with

_HOST = r"(?P<host>[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::(?P<port>[1-9][0-9]{0,4}))?"
_HOST_HEADER = re.compile(_HOST)
_ORIGIN = re.compile(rf"(?P<scheme>https?)://{_HOST}")


class OriginPolicy:
    """Whom a server answers: ``bound`` is the address it listens on, ``public`` and ``listed`` are origins."""

    def __init__(self, bound: str, public: frozenset[str], listed: frozenset[str]) -> None:
        self._everywhere = bound in EVERYWHERE
        self._names = {_name(bound), *(_name(found["host"]) for url in public if (found := _ORIGIN.fullmatch(url)))}
        self._listed = listed | public

    def refusal(self, headers: Iterable[tuple[bytes, bytes]]) -> TableRefusal | None:
        """Why a request with these headers is refused, if it is."""
        hosts, origins = [], []
        for name, value in headers:
            if name == b"host":
                hosts.append(value.decode("latin-1"))
            elif name == b"origin":
                origins.append(value.decode("latin-1"))
        if len(hosts) != 1 or not self.is_own_name(hosts[0]):
            return TableRefusal("bad-host")
        if not all(is_allowed(origin, hosts[0], self._listed) for origin in origins):
            return TableRefusal("bad-origin")
        return None

    def is_own_name(self, host: str) -> bool:
        """Whether this ``Host`` is a name of ours; ports may differ, as they do behind proxies and tunnels."""
        found = _HOST_HEADER.fullmatch(host)
        if not found:
            return False
        name = _name(found["host"])
        if name in self._names or name == "localhost" or name.endswith(".localhost"):
            return True
        try:
            address = ip_address(name)
        except ValueError:
            return False
        return self._everywhere or address.is_loopback


def is_allowed(origin: str, host: str, listed: frozenset[str]) -> bool:
    """May a page of this origin connect to a server that was called by this ``Host``?"""
    page = _ORIGIN.fullmatch(origin)
    if not page:
        return False
    if origin in listed:
        return True
    ours = _HOST_HEADER.fullmatch(host)
    return ours is not None and _place(page, page["scheme"]) == _place(ours, page["scheme"])


def is_origin(text: str) -> bool:
    """An origin as browsers write it."""
    return _ORIGIN.fullmatch(text) is not None


def _place(found: re.Match[str], scheme: str) -> tuple[str, int]:
    """Host and port; the default port is that of the scheme."""
    return found["host"].lower(), int(found["port"] or PORTS[scheme])


def _name(host: str) -> str:
    """A name or an address, each in one spelling."""
    name = host.strip("[]").lower()
    try:
        return str(ip_address(name))
    except ValueError:
        return name
