"""Run a server: online tables for people and bots, and the page in the browser.

Every setting can also come from the environment: FLIPDECK_PORT=9000 is --port 9000.  A flag takes precedence.
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
from dataclasses import MISSING, fields

from ..server.config import BadConfig, Config, read_config
from ..server.origins import EVERYWHERE
from . import OK, CommandError
from .local_server import can_serve, can_use_postgres, journal_problem, listening, serve_until_stopped

EXAMPLE = """examples:
  flipdeck serve
  flipdeck serve --lan
  flipdeck serve --host 0.0.0.0 --port 80 --data /srv/flipdeck
  flipdeck serve --public-url https://cards.example.org --proxies 127.0.0.1
  flipdeck serve --journal postgresql://flipdeck@db.example.org/flipdeck"""

NO_PACKAGES = "A server needs more packages: install them with  pip install 'flipdeck[server]'"
NO_POSTGRES = "A PostgreSQL journal needs one package more: install it with  pip install 'flipdeck[postgres]'"
METAVARS = {
    "data": "FOLDER",
    "host": "ADDRESS",
    "journal": "URL",
    "log_level": "LEVEL",
    "origins": "LIST",
    "public_url": "LIST",
    "proxies": "LIST",
}
SOMEWHERE_ELSE = ("192.0.2.1", 9)  # an address reserved for documentation


def add_arguments(parser: argparse.ArgumentParser) -> None:
    for spec in fields(Config):
        usual = f"default {spec.default}" if spec.default not in (MISSING, "") else "default: none"
        if spec.name == "data":
            usual = "default: the system's place for data"
        metavar = "N" if "range" in spec.metadata else METAVARS.get(spec.name, spec.name.upper())
        parser.add_argument(flag(spec.name), metavar=metavar, help=f"{spec.metadata['what']} ({usual})")
    parser.add_argument(
        "--lan", action="store_true", help="listen on the local network, and print a QR code for phones"
    )
    parser.add_argument("--log-json", action="store_true", help="log JSON lines, as without a terminal")


def flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def run(args: argparse.Namespace) -> int:
    config = config_of(args)
    if not can_serve():
        raise CommandError(NO_PACKAGES)
    from ..server import logs
    from ..server.app import make_app

    if config.journal and not can_use_postgres():
        raise CommandError(NO_POSTGRES)
    if problem := journal_problem(config):
        raise CommandError(problem)
    with listening(config.host, config.port) as door:
        logs.set_up(config.log_level.upper(), json=args.log_json or not sys.stderr.isatty())
        serve_until_stopped(make_app(config), config, door, lambda port: tell_address(config.host, port, args.lan))
    return OK


def config_of(args: argparse.Namespace) -> Config:
    """The configuration from flags and environment; a CommandError where it is invalid."""
    given: dict[str, str | None] = {spec.name: getattr(args, spec.name) for spec in fields(Config)}
    if args.lan:
        if given["host"] is not None:
            raise CommandError("--lan listens on every address of this computer; leave --host out.")
        given["host"] = EVERYWHERE[0]
    try:
        return read_config(given, os.environ)
    except BadConfig as error:
        raise CommandError(str(error)) from None


def tell_address(host: str, port: int, lan: bool) -> None:
    """Print the address; with ``--lan`` also a QR code."""
    if not lan:
        print(f"Flipdeck is open at {address(host, port)} (Ctrl-C stops it).", flush=True)
        return
    import segno

    found = lan_host()
    link = address(found or "127.0.0.1", port)
    if found is None:
        print("This computer seems to be in no network, so that others can't reach it yet.")
    print(f"Flipdeck is open for this network at {link} (Ctrl-C stops it).")
    segno.make(link, error="m").terminal(out=sys.stdout, compact=True)
    sys.stdout.flush()


def address(host: str, port: int) -> str:
    """The URL, as typed at this computer."""
    if host in EVERYWHERE:
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def lan_host() -> str | None:
    """The local address of the default route.  Nothing is sent: connecting a UDP socket only looks up the route."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as question:
        try:
            question.connect(SOMEWHERE_ELSE)
            found = str(question.getsockname()[0])
        except OSError:
            return None
    return None if found.startswith("127.") or found in EVERYWHERE else found
