"""Move the tables of a server: from its folder into a PostgreSQL database that several servers share, or back.

Stop every server first.  The target must be empty; if the copy fails, it still is.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from . import OK, CommandError
from .local_server import can_use_postgres
from .serve import NO_POSTGRES

if TYPE_CHECKING:
    from ..server.journal.copying import CopyEnd
    from ..server.shared.postgres import PostgresShared

EXAMPLE = """examples:
  flipdeck journal copy /srv/flipdeck postgresql://flipdeck@db.example.org/flipdeck
  flipdeck journal copy postgresql:///flipdeck ./data"""

URLS = ("postgresql://", "postgres://")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=["copy"], metavar="copy", help="copy all tables, replays, bans and the key")
    parser.add_argument("source", metavar="FROM", help="the folder of a server, or the URL of a database")
    parser.add_argument("target", metavar="TO", help="the same; it must be empty")


def run(args: argparse.Namespace) -> int:
    from ..server.journal import JournalError

    check(args)
    if any(end.startswith(URLS) for end in (args.source, args.target)) and not can_use_postgres():
        raise CommandError(NO_POSTGRES)
    try:
        copied = asyncio.run(_copy(args.source, args.target))
    except JournalError as error:
        raise CommandError(str(error)) from None
    print(f"Copied: {copied['tables']} tables with {copied['entries']} entries, {copied['replays']} replays.")
    return OK


def check(args: argparse.Namespace) -> None:
    if args.source == args.target:
        raise CommandError("FROM and TO are the same.")
    for end in (args.source, args.target):
        if "://" in end and not end.startswith(URLS):
            raise CommandError("A database is given as postgresql://user@host/database; what is given is none.")


async def _copy(source: str, target: str) -> dict[str, int]:
    from ..server.journal.copying import copy

    async with _side(source, exists=True) as one, _side(target) as other:
        copied = await copy(one, other, _tell)
    await _copy_key(source, target)
    return copied


async def _copy_key(source: str, target: str) -> None:
    """Of the hashes of addresses: without it bans are not recognized.  A key that is there already stays."""
    from ..server.journal import JournalError

    key = await _key_of(source)
    if key is not None:
        try:
            await _give_key(target, key)
        except (JournalError, OSError) as error:
            raise CommandError(f"All was copied but the key: {error}") from None


async def _key_of(place: str) -> bytes | None:
    from ..server.identity import AddressHashes
    from ..server.paths import key_in

    if not place.startswith(URLS):
        return AddressHashes(key_in(Path(place))).stored()
    async with _shared(place) as shared:
        return await shared.stored_key()


async def _give_key(place: str, key: bytes) -> None:
    from ..server.identity import AddressHashes
    from ..server.paths import key_in

    if place.startswith(URLS):
        async with _shared(place) as shared:
            await shared.settle_key(None, key)
    else:
        hashes = AddressHashes(key_in(Path(place)))
        hashes.key = key
        hashes.load()


@asynccontextmanager
async def _shared(url: str) -> AsyncIterator[PostgresShared]:
    from ..server.shared.postgres import PostgresShared

    shared = PostgresShared(url)
    await shared.open()
    try:
        yield shared
    finally:
        await shared.close()


def _side(place: str, exists: bool = False) -> CopyEnd:
    from ..server.journal.copying import sqlite_side
    from ..server.paths import database_in

    if place.startswith(URLS):
        from ..server.journal.postgres.copying import postgres_side

        return postgres_side(place)
    path = database_in(Path(place))
    if exists and not path.is_file():
        raise CommandError(f"There are no tables in {place}.")
    return sqlite_side(path)


def _tell(kind: str, done: int, whole: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{kind}: {done} of {whole}  ", end="" if done < whole else "\n", file=sys.stderr, flush=True)
