"""Move the tables of a server: from its folder into a PostgreSQL database that several servers share, or back.

Stop every server first.  The target must be empty; if the copy fails, it still is.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from . import OK, CommandError
from .local_server import can_use_postgres
from .serve import NO_POSTGRES

if TYPE_CHECKING:
    from ..server.journal.copying import CopyEnd

EXAMPLE = """examples:
  flipdeck journal copy /srv/flipdeck postgresql://flipdeck@db.example.org/flipdeck
  flipdeck journal copy postgresql:///flipdeck ./data"""

URLS = ("postgresql://", "postgres://")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=["copy"], metavar="copy", help="copy all tables, replays and bans")
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
        return await copy(one, other, _tell)


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
