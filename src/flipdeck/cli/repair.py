"""Find damage in the folder of a server, and go on from the state before it.

Without --table it only looks: it lists damaged tables and replays, and what would be lost.  Stop the server first:
while it runs, it locks its folder.  Make a copy of the folder before you cut anything.  The exit code is 1 if something
is damaged.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from . import FAILED, OK, CommandError, FailedError

if TYPE_CHECKING:
    from ..server.journal.repair_rows import TableDamage
    from ..server.repair import Repair

EXAMPLE = """examples:
  flipdeck repair
  flipdeck repair --table ABCD-EFGH --forget-after 41
  flipdeck repair --table ABCD-EFGH --remove --data /srv/flipdeck
  flipdeck repair --accept-missing"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--table", metavar="CODE", help="the table to repair; with one of the next two")
    add("--forget-after", metavar="N", type=int, help="cut its journal after its last good entry, which is N")
    add("--remove", action="store_true", help="remove the table: nothing of it can be played on")
    add("--accept-missing", action="store_true", help="go on although entries that were acknowledged are missing")
    add("--data", metavar="FOLDER", help="the server's folder (default: FLIPDECK_DATA, or the system's place for data)")


def run(args: argparse.Namespace) -> int:
    from ..server.journal import Unavailable
    from ..server.paths import data_folder, database_in
    from ..server.repair import Repair

    check(args)
    path = database_in(data_folder() if args.data is None else Path(args.data))
    if not path.is_file():
        raise CommandError(f"There are no tables in {path.parent}.")
    try:
        with Repair(path).begin() as repair:
            if args.accept_missing:
                return _accept(repair)
            return _report(repair) if args.table is None else _mend(repair, args)
    except Unavailable as error:
        raise FailedError(str(error)) from None


def check(args: argparse.Namespace) -> None:
    ways = (args.forget_after is not None) + args.remove
    if args.table is None and ways:
        raise CommandError("--forget-after and --remove need --table.")
    if args.table is not None and ways != 1:
        raise CommandError("--table needs either --forget-after or --remove.")
    if args.accept_missing and args.table is not None:
        raise CommandError("--accept-missing is about the whole file: it goes without --table.")


def _report(repair: Repair) -> int:
    tables, replays = repair.tables(), repair.replays()
    missing = _missing(repair)
    for line in (*missing, *(line for damage in tables for line in _describe(damage))):
        print(line)
    for name in replays:
        print(f"Replay {name}: its record is damaged. A copy of it may be in a backup.")
    if not (missing or tables or replays):
        print("Nothing is damaged.")
        return OK
    return FAILED


def _missing(repair: Repair) -> list[str]:
    from ..server.identity import shown_code

    mark, there = repair.mark, repair.missing_since()
    if there is not None:
        what = (
            f"Acknowledged entries are missing: table {shown_code(mark.table)} had {mark.seq} and has {there}; other "
            "tables may lack some too. The write-ahead log was lost or damaged, or this is an older copy."
        )
    elif mark.problem:
        done = mark.problem.removeprefix("log-")
        what = f"The files were {done} while a server was running, and may be mixed up."
    else:
        return []
    return [what, "  Put a newer copy in place, or go on with what is there: flipdeck repair --accept-missing"]


def _describe(damage: TableDamage) -> list[str]:
    from ..server.identity import shown_code
    from ..server.repair import readable_snapshot

    code, after = shown_code(damage.code), readable_snapshot(damage)
    lost = f"{damage.lost} of {damage.newest} entries"
    if damage.unreadable:
        what = "pages of the file are damaged (database disk image is malformed), and can't be cut out."
        todo = "Restore a backup, or save what can be read: sqlite3 tables.sqlite3 .recover | sqlite3 new.sqlite3"
    elif damage.good < max(damage.first, 1):
        what = f"its first entry is damaged, and nothing can be played on from; {lost} are lost."
        todo = f"To remove it: flipdeck repair --table {code} --remove"
    elif after is not None:
        what = f"entry {damage.good + 1} is damaged, but a snapshot taken after entry {after} is good."
        todo = "Nothing is lost: it wakes from there, and nothing need be done."
    else:
        what = f"entry {damage.good + 1} is damaged; it and what comes after it, {lost}, would be lost."
        todo = f"To go on after entry {damage.good}: flipdeck repair --table {code} --forget-after {damage.good}"
    return [f"Table {code}: {what}", f"  {todo}"]


def _mend(repair: Repair, args: argparse.Namespace) -> int:
    from ..server.identity import read_code, shown_code

    code = read_code(args.table)
    damage = None if code is None else repair.table(code)
    if damage is None:
        raise CommandError(f"Table {args.table[:12]!r} is not damaged, or there is none.")
    if damage.unreadable:
        raise FailedError(_describe(damage)[0])
    shown = shown_code(damage.code)
    if args.remove:
        repair.remove(damage)
        print(f"Table {shown} is removed: {damage.newest} entries are cut, and kept in cut_entries.")
        return OK
    if damage.good < max(damage.first, 1):
        raise FailedError(f"The first entry of table {shown} is damaged: it can only be removed (--remove).")
    if args.forget_after != damage.good:
        raise CommandError(f"The last good entry of table {shown} is {damage.good}, not {args.forget_after}.")
    repair.cut(damage)
    print(f"Table {shown} goes on after entry {damage.good}: {damage.lost} entries are cut, and kept in cut_entries.")
    return OK


def _accept(repair: Repair) -> int:
    missing = _missing(repair)
    if not missing:
        raise CommandError("No acknowledged entry is missing.")
    repair.accept_missing()
    print(missing[0])
    print("Accepted: the server starts with what is there.")
    return OK
