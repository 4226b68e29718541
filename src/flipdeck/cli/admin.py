"""What the operator of a running server can do: see its tables and connections, close a table, keep an address out,
tell people something.

It asks the server through a socket in its data folder, so that only who may write there can; the public port knows
nothing of it.  Tables and addresses have tags, as in the server's log (t-1a2b3c4d, a-5e6f7a8b); they are new with every
start of the server.  The first four digits do, as long as they are unique.  No cards are shown, and every use is a line
of the server's log.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import OK, CommandError, FailedError

if TYPE_CHECKING:
    from ..server.admin.messages import AnyAdminReply, AnyAdminRequest, BanLine, ConnectionLine, TableLine

EXAMPLE = """examples:
  flipdeck admin tables
  flipdeck admin connections --json
  flipdeck admin say "The server restarts at nine; games are kept."
  flipdeck admin say --table t-1a2b3c4d "Please be kind."
  flipdeck admin close t-1a2b3c4d --say "Closed after complaints."
  flipdeck admin keep-out a-5e6f7a8b --hours 24 --why "insults"
  flipdeck admin bans
  flipdeck admin lift b-9c8d7e6f
  flipdeck admin bans --table t-1a2b3c4d
  flipdeck admin lift b-3f5a7c91 --table t-1a2b3c4d"""

SERVER_NEEDED = "This needs more packages: install them with  pip install 'flipdeck[server]'"
MINUTE, HOUR, DAY = 60, 3600, 86_400
Add = Callable[..., Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="what", metavar="COMMAND", required=True, parser_class=type(parser))

    def command(name: str, about: str) -> Add:
        made = commands.add_parser(name, help=about, description=about.capitalize() + ".", allow_abbrev=False)
        made.add_argument(
            "--data",
            metavar="FOLDER",
            help="the server's folder (default: FLIPDECK_DATA, or the system's place for data)",
        )
        made.add_argument("--json", action="store_true", help="print the server's answer as JSON")
        return made.add_argument

    add = command("tables", "list the tables in memory, the liveliest first")
    add("--names", action="store_true", help="with the names of the people at them")
    add("--codes", action="store_true", help="with their codes, by which anybody can join them")
    command("connections", "list the open connections, the newest first")
    add = command("close", "close a table for good; a running match ends there")
    add("table", metavar="TABLE", help="its tag, or the code of any table")
    add("--say", required=True, metavar="SENTENCE", help="what its people are told")
    add = command("say", "tell everybody who is at a table something")
    add("text", metavar="SENTENCE", help="at most 200 characters")
    add("--table", metavar="TABLE", help="only those at this table: its tag, or its code")
    add = command("keep-out", "keep an address out for a time, and end its connections")
    add("address", metavar="ADDRESS", help="its tag, or an IP address; of IPv6 it is always the whole /64 network")
    add("--hours", type=_hours, default=24.0, metavar="N", help="for so long (default 24)")
    add("--why", default="", metavar="NOTE", help="a note to yourself, shown by bans")
    add("--force", action="store_true", help="even if it is this computer, or a proxy that many come through")
    add = command("bans", "list the addresses that are kept out, or whom the host of a table has removed")
    add("--table", metavar="TABLE", help="the bans of this table: its tag, or its code")
    add = command("lift", "lift a ban before it ends")
    add("ban", metavar="BAN", help="its name as bans shows it (b-9c8d7e6f), or the address")
    add("--table", metavar="TABLE", help="it is a ban of this table")


def run(args: argparse.Namespace) -> int:
    from .local_server import can_serve

    if not can_serve():
        raise CommandError(SERVER_NEEDED)
    import msgspec

    from ..server.admin.client import ask
    from ..server.admin.messages import AdminRefusal
    from ..server.paths import data_folder

    folder = data_folder() if args.data is None else Path(args.data)
    try:
        reply = ask(folder, request_of(args))
    except AdminRefusal as refusal:
        raise FailedError(str(refusal)) from None
    print(msgspec.json.encode(reply).decode() if args.json else describe(reply))
    return OK


def _hours(text: str) -> float:
    from ..server.admin.messages import MOST_HOURS

    try:
        hours = float(text)
    except ValueError:
        hours = math.nan
    if not 0 < hours <= MOST_HOURS:
        raise CommandError(f"--hours is a number above 0, up to {MOST_HOURS}, not {text[:40]!r}.")
    return hours


def request_of(args: argparse.Namespace) -> AnyAdminRequest:
    from ..server.admin import messages

    made: dict[str, Callable[[], AnyAdminRequest]] = {
        "tables": lambda: messages.ListTables(args.names, args.codes),
        "connections": messages.ListConnections,
        "close": lambda: messages.CloseTable(args.table, args.say),
        "say": lambda: messages.Announce(args.text, args.table),
        "keep-out": lambda: messages.KeepAddressOut(args.address, args.hours, args.why, args.force),
        "bans": lambda: messages.ListBans(args.table),
        "lift": lambda: messages.LiftBan(args.ban, args.table),
    }
    return made[args.what]()


# ---------------------------------------------------------------- for people
def describe(reply: AnyAdminReply) -> str:
    from ..server.admin import messages

    match reply:
        case messages.TableList():
            listed = _listed("No table is in memory.", TABLE_HEADS, map(_table_row, reply.tables), reply.more)
            return listed + _not_of(reply.others)
        case messages.ConnectionList():
            lines = map(_connection_row, reply.connections)
            return _listed("Nobody is connected.", CONNECTION_HEADS, lines, reply.more) + _not_of(reply.others)
        case messages.BanList():
            return _listed("Nobody is kept out.", BAN_HEADS, map(_ban_row, reply.bans), reply.more)
        case messages.TableBanList():
            rows = ([line.ban, "yes" if line.address else "no"] for line in reply.bans)
            return _listed(f"Nobody was removed from table {reply.table}.", ("ban", "address too"), rows, 0)
        case messages.TableClosed():
            return f"Table {reply.table} is closed. Connections that were told: {reply.told}."
        case messages.Announced():
            return f"Connections that were told: {reply.told}." + _not_of(reply.others)
        case messages.AddressKeptOut():
            return f"{reply.address} is kept out, by ban {reply.ban}. Connections ended: {reply.ended}."
        case messages.BanLifted():
            return f"Ban {reply.ban} is lifted."
        case messages.RequestRefused():
            return reply.message


TABLE_HEADS = ("table", "phase", "edition", "people", "here", "bots", "watching", "listed", "awake", "quiet", "more")
BAN_HEADS = ("ban", "ends in", "note")
CONNECTION_HEADS = ("address", "table", "seat", "since", "lag")


def _table_row(line: TableLine) -> list[str]:
    more = [line.code or "", "closed" if line.closed else "", ", ".join(line.names)]
    people = f"{line.people} of {line.seats}"
    counts = [people, str(line.here), str(line.bots), str(line.watching)]
    listed = "public" if line.public else "-"
    times = [_long(line.awake_seconds), _long(line.quiet_seconds)]
    return [line.table, line.phase, line.edition, *counts, listed, *times, " ".join(filter(None, more))]


def _ban_row(line: BanLine) -> list[str]:
    return [line.ban, _long(line.seconds_left), line.why]


def _connection_row(line: ConnectionLine) -> list[str]:
    place = "-" if line.table is None else "watching" if line.seat is None else str(line.seat)
    return [line.address, line.table or "not greeted", place, _long(line.since_seconds), f"{line.lag_ms} ms"]


def _listed(nothing: str, heads: Sequence[str], rows: Iterable[list[str]], more: int) -> str:
    lines = [list(heads), *rows]
    if len(lines) == 1:
        return nothing
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    text = "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )
    return f"{text}\n… and {more} more" if more else text


def _not_of(others: int) -> str:
    """Servers on one database have their own tables and connections."""
    who = "another server" if others == 1 else f"{others} other servers"
    return f"\nThis is one server; {who} on its database must be asked as well." if others else ""


def _long(seconds: int) -> str:
    """A time in its largest unit that shows two digits or so."""
    for size, unit in ((DAY, "d"), (HOUR, "h"), (MINUTE, "min")):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"
