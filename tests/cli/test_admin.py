"""``flipdeck admin`` in a process of its own, against a server in another."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from flipdeck.cli import admin
from flipdeck.server.admin.messages import (
    AddressKeptOut,
    Announced,
    BanLifted,
    BanLine,
    BanList,
    ConnectionLine,
    ConnectionList,
    TableLine,
    TableList,
)
from tests.cli.processes import Process, ask

FEW = ("--most-connections", "100", "--log-level", "error")


def told(folder: Path, *words: str) -> tuple[int, str, str]:
    """Exit code, output and errors of ``flipdeck admin`` with these words."""
    with Process(folder, "admin", *words) as process:
        return process.finish()


def answer(folder: Path, *words: str) -> Any:
    code, out, err = told(folder, *words, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_an_operator_sees_closes_keeps_out_and_lifts_and_all_of_it_is_in_the_log(tmp_path: Path) -> None:
    with Process(tmp_path, "serve", "--port", "0", *FEW) as server:
        address = server.address()
        bots = {"name": "Ana", "settings": {"seats": 2}, "bots": {"1": "rookie"}, "start": True}
        seated = [ask(f"{address}/api/tables", bots)[1] for _ in range(2)]
        tables = answer(tmp_path, "tables")["tables"]
        assert [(line["phase"], line["people"], line["bots"]) for line in tables] == [("playing", 1, 1)] * 2
        tags = {
            line["code"].replace("-", ""): line["table"] for line in answer(tmp_path, "tables", "--codes")["tables"]
        }
        code, tag = seated[0]["code"], tags[seated[0]["code"]]
        assert told(tmp_path, "say", "--table", tag, "Hello.") == (0, "Connections that were told: 0.\n", "")
        closed = f"Table {tag} is closed. Connections that were told: 0.\n"
        assert told(tmp_path, "close", tag, "--say", "Enough.") == (0, closed, "")
        assert ask(f"{address}/api/tables/{code}")[1]["facts"] == {"word": "Enough."}
        kept = answer(tmp_path, "keep-out", "127.0.0.1", "--hours", "48", "--why", "a note", "--force")
        assert ask(f"{address}/api/tables")[1]["code"] == "kept-out"
        log = server.stop(signal.SIGKILL)[2]
    events = [json.loads(line) for line in log.splitlines()]
    assert [event["what"] for event in events] == ["tables", "tables-codes", "say", "close", "keep-out"]
    assert (events[3]["table"], events[4]["ban"]) == (tag, kept["ban"])
    secrets = [code, seated[0]["token"], "127.0.0.1", "Ana", "Hello.", "Enough.", "a note"]
    assert not [secret for secret in secrets if secret in log]
    with Process(tmp_path, "serve", "--port", "0", *FEW) as server:  # the socket of the killed one is in its way
        address = server.address()
        assert ask(f"{address}/api/tables")[1]["code"] == "kept-out"
        assert re.fullmatch(rf"ban +ends in +note\n{kept['ban']} +47 h +a note\n", told(tmp_path, "bans")[1])
        assert told(tmp_path, "lift", kept["ban"]) == (0, f"Ban {kept['ban']} is lifted.\n", "")
        assert ask(f"{address}/api/tables/{code}")[1]["code"] == "closed-by-operator"
        assert ask(f"{address}/api/tables/{seated[1]['code']}")[0] == 200
        assert server.stop(signal.SIGTERM)[0] == 0
    assert not (tmp_path / "admin.sock").exists()


def test_what_can_not_be_done_is_one_sentence(tmp_path: Path) -> None:
    nobody = f"flipdeck admin: No server runs in {tmp_path}; --data names the folder of another.\n"
    assert told(tmp_path, "tables") == (1, "", nobody)
    with Process(tmp_path, "serve", "--port", "0", *FEW) as server:
        server.address()
        assert told(tmp_path, "tables", "--data", str(tmp_path / "none"))[0] == 1
        for words, sentence in {
            ("close", "t-00000000", "--say", "x"): "No table in memory has the tag 't-00000000': tags are new with",
            ("keep-out", "127.0.0.1"): "This is the address of this computer",
            ("lift", "b-0000"): "There is no ban 'b-0000'; flipdeck admin bans lists them.",
            ("say", ""): "There is nothing to say: give a sentence.",
        }.items():
            code, out, err = told(tmp_path, *words)
            assert (code, out, err.count("\n")) == (1, "", 1)
            assert err.startswith(f"flipdeck admin: {sentence}")


@pytest.mark.parametrize("hours", ["0", "-1", "nan", "inf", "x", "99999"])
def test_hours_that_can_not_be_are_refused_before_the_server_is_asked(hours: str, tmp_path: Path) -> None:
    sentence = f"flipdeck admin: --hours is a number above 0, up to 8784, not {hours!r}.\n"
    assert told(tmp_path, "keep-out", "192.0.2.1", f"--hours={hours}") == (2, "", sentence)


def test_lists_are_columns_and_say_when_there_is_more() -> None:
    table = TableLine(
        "t-1a2b3c4d", "playing", "classic", 4, 2, 1, 1, 3, True, 7300, 59, True, ["Ana", "Ben"], "AAAA-BBBB"
    )
    assert admin.describe(TableList([table], 2)).splitlines() == [
        "table       phase    edition  people  here  bots  watching  listed  awake  quiet  more",
        "t-1a2b3c4d  playing  classic  2 of 4  1     1     3         public  2 h    59 s   AAAA-BBBB closed Ana, Ben",
        "… and 2 more",
    ]
    lines = [ConnectionLine("a-1a2b3c4d", None, None, 3, 0), ConnectionLine("a-1a2b3c4d", "t-1a2b3c4d", 2, 400, 31)]
    assert admin.describe(ConnectionList(lines, 0)).splitlines() == [
        "address     table        seat  since  lag",
        "a-1a2b3c4d  not greeted  -     3 s    0 ms",
        "a-1a2b3c4d  t-1a2b3c4d   2     6 min  31 ms",
    ]
    assert admin.describe(BanList([BanLine("b-1a2b3c4d", 400_000, "")], 0)).splitlines()[1] == "b-1a2b3c4d  4 d"
    assert admin.describe(AddressKeptOut("b-1", "a-1", 2)) == "a-1 is kept out, by ban b-1. Connections ended: 2."
    assert [admin.describe(nothing) for nothing in (TableList([], 0), ConnectionList([], 0), BanList([], 0))] == [
        "No table is in memory.",
        "Nobody is connected.",
        "Nobody is kept out.",
    ]
    assert admin.describe(BanLifted("b-1")) == "Ban b-1 is lifted."


def test_what_is_about_one_of_several_servers_says_so() -> None:
    said = admin.describe(Announced(3, 2))
    assert (
        said
        == "Connections that were told: 3.\nThis is one server; 2 other servers on its database must be asked as well."
    )
    assert admin.describe(TableList([], 0, 1)).endswith("; another server on its database must be asked as well.")
    assert "server" not in admin.describe(ConnectionList([], 0))
