"""``python -m flipdeck.wire`` generates the schema, the TypeScript and the reference; ``--check`` only compares."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from .reference import with_reference
from .schema import json_schema
from .typescript import typescript

ROOT = Path(__file__).parents[3]  # of the checkout


def render_documents(root: Path) -> dict[Path, str]:
    """Each generated file, and its content."""
    document = root / "docs" / "wire.md"
    return {
        root / "docs" / "wire.schema.json": json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n",
        root / "web" / "src" / "wire.ts": typescript(),
        document: with_reference(document.read_text(encoding="utf-8")),
    }


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(prog="python -m flipdeck.wire", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is not up to date")
    asked = parser.parse_args(arguments)
    try:
        files = render_documents(root)
    except (OSError, ValueError) as problem:
        print(f"docs/wire.md can't be brought up to date: {problem}", file=sys.stderr)
        return 1
    stale = [path for path, text in files.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        name = path.relative_to(root).as_posix()
        if asked.check:
            print(f"{name} is not what the messages say: run python -m flipdeck.wire.", file=sys.stderr)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(files[path], encoding="utf-8")
            print(f"{name} written.")
    return int(bool(stale) and asked.check)


if __name__ == "__main__":
    sys.exit(main())
