"""Configuration from flags of ``flipdeck serve`` and from the environment (``FLIPDECK_PORT=8000``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from .origins import OriginPolicy, is_origin
from .paths import data_folder

PREFIX = "FLIPDECK_"


class BadConfig(ValueError):  # noqa: N818  # a sentence for whoever starts the server
    """A setting that is not valid; the message is for whoever starts the server."""


def _number(default: float, low: float, high: float, what: str) -> Any:
    return field(default=default, metadata={"range": (low, high), "what": what})


@dataclass(frozen=True)
class Config:
    host: str = field(default="127.0.0.1", metadata={"what": "the address to listen on"})
    port: int = _number(8000, 0, 65535, "the port to listen on; 0 takes a free one")
    data: Path = field(default_factory=data_folder, metadata={"what": "the folder where tables are kept"})
    journal: str = field(
        default="",
        repr=False,  # it may have a password
        metadata={"what": "a PostgreSQL database (postgresql://…) that several servers share, in place of the folder"},
    )
    public_url: str = field(default="", metadata={"what": "the addresses people know the server by, comma-separated"})
    origins: str = field(default="", metadata={"what": "other origins whose pages may connect, comma-separated"})
    proxies: str = field(
        default="", metadata={"what": "addresses of trusted proxies (X-Forwarded-For), comma-separated"}
    )
    most_tables: int = _number(5000, 1, 1_000_000, "tables in memory at a time")
    most_connections: int = _number(10_000, 1, 1_000_000, "connections at a time")
    most_per_address: int = _number(200, 1, 1_000_000, "connections at a time from one address")
    most_watchers: int = _number(50, 0, 10_000, "spectators at one table")
    most_public_seats: int = _number(3, 1, 1_000_000, "public tables at which one address may sit at a time")
    messages_per_second: int = _number(20, 1, 100_000, "messages a second of one connection, sustained")
    bot_workers: int = _number(1, 1, 64, "worker processes for bots")
    sleep_seconds: float = _number(60, 1, 86_400, "until a table without connections is unloaded")
    idle_seconds: float = _number(7200, 60, 604_800, "until people who do nothing at a table are disconnected")
    lease_seconds: float = _number(6, 3, 3600, "how long a dead server keeps its tables")
    hold_seconds: float = _number(10, 0, 3600, "how long a server keeps a table at least, if another asks for it")
    prune_days: float = _number(0, 0, 36_500, "until unused tables and replays are deleted; 0 is never")
    drain_seconds: float = _number(5, 0, 300, "how long a graceful shutdown may take")
    log_level: str = field(default="info", metadata={"what": "debug, info, warning or error"})

    @property
    def listed_origins(self) -> frozenset[str]:
        return _listed(self.origins)

    @property
    def origin_policy(self) -> OriginPolicy:
        return OriginPolicy(self.host, _listed(self.public_url), self.listed_origins)


def read_config(given: Mapping[str, str | None], environment: Mapping[str, str]) -> Config:
    """Flags first, then the environment, then defaults; BadConfig names the setting that is not valid."""
    values: dict[str, Any] = {}
    for spec in fields(Config):
        text = given.get(spec.name)
        source = "--" + spec.name.replace("_", "-")
        if text is None:
            source = PREFIX + spec.name.upper()
            text = environment.get(source) or None  # an empty variable counts as unset
        if text is not None:
            values[spec.name] = _value(spec.name, spec.metadata, text, source)
    return Config(**values)


def _listed(text: str) -> frozenset[str]:
    return frozenset(each.strip() for each in text.split(",") if each.strip())


def _value(name: str, about: Mapping[str, Any], text: str, source: str) -> Any:
    if "range" in about:
        low, high = about["range"]
        whole = name.startswith("most") or name in ("port", "messages_per_second", "bot_workers")
        try:
            value = int(text) if whole else float(text)
        except ValueError:
            value = None
        if value is None or not low <= value <= high:
            raise BadConfig(f"{source} is a number from {low} to {high}, not {text!r}.")
        return value
    if name == "log_level" and text not in ("debug", "info", "warning", "error"):
        raise BadConfig(f"{source} is debug, info, warning or error, not {text!r}.")
    if name in ("origins", "public_url") and not all(map(is_origin, _listed(text))):
        raise BadConfig(f"{source} are addresses like https://cards.example:8443, without a path, not {text!r}.")
    if name == "journal" and not text.startswith(("postgresql://", "postgres://")):
        raise BadConfig(f"{source} is an address like postgresql://user@host/database; what is given is none.")
    return Path(text) if name == "data" else text
