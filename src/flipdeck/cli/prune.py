"""Delete tables and replays of a server that were not used for a while.

Stop the server first: while it runs, it locks its folder.  Ages are counted while a server runs; the time since it
stopped counts by this computer's clock, and if that is more than a day you have to say that the clock is right.
"""

from __future__ import annotations

import argparse
import asyncio
import re
from pathlib import Path

from . import OK, CommandError

EXAMPLE = """examples:
  flipdeck prune --older 30d
  flipdeck prune --older 8w --data /srv/flipdeck --trust-clock"""

SECONDS = {"h": 3600, "d": 24 * 3600, "w": 7 * 24 * 3600}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--older", required=True, metavar="AGE", help="not used for this long: hours, days or weeks, as 12h, 30d, 8w")
    add("--data", metavar="FOLDER", help="the server's folder (default: FLIPDECK_DATA, or the system's place for data)")
    add("--trust-clock", action="store_true", help="this computer's clock is right, however long no server has run")


def run(args: argparse.Namespace) -> int:
    from ..server.paths import data_folder, database_in

    seconds = age(args.older)
    path = database_in(data_folder() if args.data is None else Path(args.data))
    if not path.is_file():
        raise CommandError(f"There are no tables in {path.parent}.")
    deleted = asyncio.run(_prune(path, seconds, args.trust_clock))
    print(f"Tables and replays deleted: {deleted}.")
    return OK


def age(text: str) -> int:
    """In seconds."""
    if not (matched := re.fullmatch(r"0*([1-9][0-9]{0,5})([hdw])", text)):
        raise CommandError(f"--older is a number of hours, days or weeks such as 12h, 30d or 8w, not {text[:40]!r}.")
    return int(matched[1]) * SECONDS[matched[2]]


async def _prune(path: Path, seconds: int, trust_clock: bool) -> int:
    from ..server.journal import Unavailable
    from ..server.journal.sqlite import SqliteJournal

    journal = SqliteJournal(path, long_pause="count" if trust_clock else "refuse")
    try:
        await journal.open()
        return await journal.prune(seconds)
    except Unavailable as error:
        raise CommandError(str(error)) from None
    finally:
        await journal.close()
