"""``flipdeck serve``: how a server starts, what it says, how it ends."""

from __future__ import annotations

import argparse
import io
import json
import signal
import socket
from pathlib import Path

import pytest
import segno

from flipdeck.cli import main, serve
from flipdeck.server import origins
from tests.cli.processes import Process, ask

FEW = ("--most-connections", "100")  # as many open files as any system allows: else the log says that there are too few


def parsed(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    serve.add_arguments(parser)
    return parser.parse_args(arguments)


# ---------------------------------------------------------------- a real one
@pytest.mark.parametrize(("how", "everybody"), [(signal.SIGTERM, False), (signal.SIGINT, False), (signal.SIGINT, True)])
def test_a_server_says_where_it_is_and_ends_in_good_order(tmp_path: Path, how: signal.Signals, everybody: bool) -> None:
    with Process(tmp_path / "data", "serve", "--port", "0", *FEW) as server:
        address = server.address()
        assert ask(f"{address}/health") == (200, {"ok": True, "state": "ready", "tables": 0})
        status, seated = ask(f"{address}/api/tables", {"name": "Ana"})
        assert status == 201
        code, out, err = server.stop(how, everybody)
        assert (code, out) == (0, "")
        assert server.leaves_nothing_behind()
    events = [json.loads(line) for line in err.splitlines()]  # no terminal: JSON lines
    assert [event["event"] for event in events] == ["table-made"]
    assert seated["token"] not in err
    assert seated["code"] not in err


def test_a_second_ctrl_c_does_not_break_off_the_good_end(tmp_path: Path) -> None:
    with Process(tmp_path / "data", "serve", "--port", "0", *FEW) as server:
        server.address()
        server.process.send_signal(signal.SIGINT)
        code, _, err = server.stop(signal.SIGINT)
        assert (code, err) == (0, "")
        assert server.leaves_nothing_behind()


def test_a_table_is_there_after_a_restart(tmp_path: Path) -> None:
    with Process(tmp_path, "serve", "--port", "0") as server:
        _, seated = ask(f"{server.address()}/api/tables", {"name": "Ana"})
        server.stop(signal.SIGKILL)
    with Process(tmp_path, "serve", "--port", "0") as server:
        status, table = ask(f"{server.address()}/api/tables/{seated['code']}")
    assert (status, table["seats"][0]["name"]) == (200, "Ana")


def test_the_environment_sets_what_no_flag_says(tmp_path: Path) -> None:
    settings = {"FLIPDECK_PORT": "0", "FLIPDECK_HOST": "localhost", "FLIPDECK_MOST_TABLES": "1"}
    with Process(tmp_path, "serve", more=settings) as server:
        address = server.address()
        assert address.startswith("http://localhost:")
        assert [ask(f"{address}/api/tables", {"name": "Ana"})[0] for _ in range(2)] == [201, 503]


def test_a_folder_has_one_server(tmp_path: Path) -> None:
    with Process(tmp_path, "serve", "--port", "0") as server:
        server.address()
        with Process(tmp_path, "serve", "--port", "0") as second:
            code, out, err = second.finish()
    assert (code, out) == (2, "")
    assert err == f"flipdeck serve: A Flipdeck server is using the folder {tmp_path} already.\n"


# ---------------------------------------------------------------- what can't be
def test_a_port_in_use_is_told_in_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port), "--data", str(tmp_path)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == (
        f"flipdeck serve: Port {port} is in use already; --port names another, and --port 0 takes a free one.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--host 192.0.2.1", "It can't listen on 192.0.2.1, port 0: "),
        ("--host no-such-host.invalid", "It can't listen on no-such-host.invalid, port 0: "),
        ("--port 65536", "--port is a number from 0 to 65535, not '65536'."),
        ("--bot-workers none", "--bot-workers is a number from 1 to 64, not 'none'."),
        ("--log-level loud", "--log-level is debug, info, warning or error, not 'loud'."),
        ("--lan --host 127.0.0.1", "--lan listens on every address of this computer; leave --host out."),
    ],
)
def test_settings_that_can_not_be_are_told_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: str, sentence: str
) -> None:
    assert main(["serve", "--port", "0", "--data", str(tmp_path), *arguments.split()]) == 2
    told = capsys.readouterr()
    assert told.err.startswith(f"flipdeck serve: {sentence}")
    assert (told.out, told.err.count("\n")) == ("", 1)


def test_a_folder_that_can_not_be_written_is_told_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.touch()
    assert main(["serve", "--port", "0", "--data", str(file / "folder")]) == 2
    told = capsys.readouterr()
    assert told.err.startswith(f"flipdeck serve: The tables in {file / 'folder'}")
    assert (told.out, told.err.count("\n")) == ("", 1)


def test_without_the_packages_it_says_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("flipdeck.cli.local_server.PACKAGES", ("no_such_package",))
    assert main(["serve", "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        "flipdeck serve: A server needs more packages: install them with  pip install 'flipdeck[server]'\n"
    )


# ---------------------------------------------------------------- where it is
def test_for_a_network_it_listens_everywhere_and_otherwise_on_this_computer_only() -> None:
    assert serve.config_of(parsed("--lan")).host == "0.0.0.0"  # noqa: S104
    assert serve.config_of(parsed()).host == "127.0.0.1"


def code_of(link: str) -> str:
    picture = io.StringIO()
    segno.make(link, error="m").terminal(out=picture, compact=True)
    return picture.getvalue()


def test_for_a_network_it_shows_the_address_and_a_code_for_phones(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serve, "lan_host", lambda: "192.0.2.7")
    serve.tell_address("0.0.0.0", 8123, lan=True)  # noqa: S104
    link = "http://192.0.2.7:8123"
    assert capsys.readouterr().out == (
        f"Flipdeck is open for this network at {link} (Ctrl-C stops it).\n{code_of(link)}"
    )
    assert origins.is_allowed(link, "192.0.2.7:8123", frozenset())


def test_without_a_network_it_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(serve, "lan_host", lambda: None)
    serve.tell_address("0.0.0.0", 8123, lan=True)  # noqa: S104
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("This computer seems to be in no network")
    assert "http://127.0.0.1:8123" in second


def test_the_address_in_the_network_is_one_of_this_computer_and_no_loopback() -> None:
    found = serve.lan_host()
    if found is not None:  # this computer may be in no network
        assert not found.startswith(("127.", "0."))
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ours:
            ours.bind((found, 0))  # only an address of ours can be bound


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:80"),
        ("localhost", "http://localhost:80"),
        ("::1", "http://[::1]:80"),
        ("0.0.0.0", "http://127.0.0.1:80"),  # noqa: S104
        ("::", "http://127.0.0.1:80"),
    ],
)
def test_the_address_is_one_that_can_be_typed(host: str, address: str) -> None:
    assert serve.address(host, 80) == address
