"""Logs tell what happened, and no secret, card, name or address."""

from __future__ import annotations

import json
import logging
import re
import sqlite3
from collections.abc import Iterator
from typing import Any, get_args

import pytest
import uvicorn

from flipdeck.core.errors import SENTENCES as GAME_SENTENCES
from flipdeck.core.errors import IllegalMove
from flipdeck.server import identity, logs
from flipdeck.server.journal import Unavailable
from flipdeck.server.logs import FIELDS, LogPolicy, Unloggable, address_tag, log_event, set_up, table_tag
from flipdeck.wire.errors import GameCode, ServerCode, TableRefusal

LOGGERS = ("", "flipdeck", "uvicorn", "uvicorn.error", "uvicorn.asgi", "uvicorn.access")
OURS = logging.getLogger("flipdeck.server.test")
SECRETS = [
    *[identity.new_token() + "Aa", "ABCD2345", "ABCD-2345", "R7/O1", "W/P5=G", "R7", identity.new_seed().hex()],
    *[
        "x" * 25,
        "192.0.2.7",
        "2001:db8::1",
        "<b>",
        "Ann Lee",
        "a\nb",
        "\x1b[31m",
        "\u202ea",
        2**64,
        2**200,
        float("nan"),
    ],
    *["12345678", "", "play the red seven", float("inf")],
]


class Written:
    """What was written to stderr so far."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self._text = ""

    @property
    def text(self) -> str:
        self._text += self._capsys.readouterr().err
        return self._text

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]


@pytest.fixture
def written(capsys: pytest.CaptureFixture[str]) -> Iterator[Written]:
    """Afterwards all loggers are what they were."""
    loggers = [logging.getLogger(name) for name in LOGGERS]
    before = [(log.handlers[:], log.level, log.propagate, log.disabled) for log in loggers]
    strict = LogPolicy.strict
    yield Written(capsys)
    LogPolicy.strict = strict
    for log, (handlers, level, propagate, disabled) in zip(loggers, before, strict=True):
        log.handlers[:] = handlers
        log.setLevel(level)
        log.propagate, log.disabled = propagate, disabled


def test_an_event_is_one_json_object_on_one_line(written: Written) -> None:
    set_up("INFO", json=True)
    log_event(OURS, "table-made", table=table_tag("ABCD2345"), seat=3, ms=1.5, code=None)
    log_event(OURS, "refused", logging.WARNING, reason="not-held")
    made, refused = written.lines
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", str(made.pop("time")))
    tag = made.pop("table")
    facts = {"seat": 3, "ms": 1.5, "code": None}
    assert made == {"level": "info", "logger": "flipdeck.server.test", "event": "table-made", **facts}
    assert tag == table_tag("ABCD2345")
    assert (refused["level"], refused["reason"]) == ("warning", "not-held")


def test_the_time_is_that_of_the_event_in_utc(written: Written) -> None:
    set_up("INFO", json=True)
    record = logging.makeLogRecord({"name": "flipdeck", "msg": "x", "levelno": 20, "created": 1_700_000_000.25})
    logging.getLogger("flipdeck").handle(record)
    assert written.lines[0]["time"] == "2023-11-14T22:13:20.250Z"


def test_for_people_the_same_is_on_one_line_too(written: Written) -> None:
    set_up("INFO", json=False)
    log_event(OURS, "table-made", seat=3, what="hello")
    OURS.warning("odd \x1b[31m\u202e %s\nsecond line", "secret")
    first, second = written.text.splitlines()
    assert first.endswith('Z INFO flipdeck.server.test table-made seat=3 what="hello"')
    assert second.endswith(r"WARNING flipdeck.server.test odd \x1b[31m\u202e %s")


def test_only_what_is_loud_enough_is_written(written: Written) -> None:
    set_up("WARNING", json=True)
    log_event(OURS, "quiet")
    log_event(OURS, "loud", logging.ERROR)
    assert [line["event"] for line in written.lines] == ["loud"]


def test_in_tests_a_field_that_is_not_on_the_list_is_an_error() -> None:
    assert LogPolicy.strict
    for name in ("token", "hand", "move", "name", "seed", "secret", "event_", "text", "time", "refused"):
        with pytest.raises(Unloggable, match=name) as problem:
            log_event(OURS, "moved", error=None, **{name: "thevalue"})
        assert "thevalue" not in str(problem.value)


@pytest.mark.parametrize("value", SECRETS, ids=range(len(SECRETS)))
def test_no_field_takes_what_looks_like_a_secret(value: str | int | float) -> None:
    for name, looks_right in FIELDS.items():
        assert not looks_right(value), name
        with pytest.raises(Unloggable, match=name):
            log_event(OURS, "moved", error=None, **{name: value})


@pytest.mark.parametrize("event", ["", "R7/O1", "seat 3 played R7", "Moved\n", "ABCD2345"])
def test_an_event_is_a_word(event: str, written: Written) -> None:
    with pytest.raises(Unloggable, match="event"):
        log_event(OURS, event)
    set_up("INFO", json=True)
    log_event(OURS, event)
    assert written.lines[0]["event"] == "bad-event"


def test_a_running_server_leaves_such_a_field_out_and_names_it(written: Written) -> None:
    set_up("INFO", json=True)
    log_event(OURS, "moved", seat=1, hand="thesecret", reason="R7/O1", table="ABCD2345")
    OURS.info("by hand", extra={"fields": {"hand": "R7/O1"}, "token": "thesecret"})
    assert written.lines[0]["refused"] == ["hand", "reason", "table"]
    assert written.lines[1]["refused"] == ["hand"]
    for secret in ("thesecret", "R7", "ABCD2345"):
        assert secret not in written.text


def test_every_code_and_every_reason_can_be_written() -> None:
    words = {*get_args(GameCode), *get_args(ServerCode), *GAME_SENTENCES}
    assert len(words) > 80
    assert [word for word in words if not FIELDS["code"](word) or not FIELDS["reason"](word)] == []
    assert FIELDS["code"](Unavailable.__name__)


def test_a_tag_stands_for_one_table_and_does_not_name_it() -> None:
    codes = [identity.new_code() for _ in range(100)]
    assert len({table_tag(code) for code in codes}) == 100
    assert table_tag(codes[0]) == table_tag(codes[0])
    assert all(FIELDS["table"](table_tag(code)) and code.lower() not in table_tag(code) for code in codes)


def test_a_tag_can_not_be_worked_out_without_the_key_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    before = table_tag("ABCD2345"), address_tag("192.0.2.7")
    monkeypatch.setattr(logs, "_KEY", bytes(16))
    assert table_tag("ABCD2345") != before[0]
    assert address_tag("192.0.2.7") != before[1]


def test_a_tag_stands_for_a_whole_network() -> None:
    assert address_tag("2001:db8::1") == address_tag("2001:db8::2") != address_tag("2001:db8:0:1::1")
    assert address_tag(None) == address_tag("nowhere")
    assert FIELDS["address"](address_tag("192.0.2.7"))


def raise_with_secrets(kind: type[Exception]) -> None:
    hand = "thesecret R7/O1"
    raise kind(f"hand was {hand}")


def test_an_exception_is_told_by_its_kind_and_place_only(written: Written) -> None:
    set_up("INFO", json=True)
    try:
        try:
            raise_with_secrets(KeyError)
        except KeyError as first:
            raise RuntimeError("thesecret") from first
    except RuntimeError as error:
        log_event(OURS, "bot-failed", logging.ERROR, error=error, seat=2)
        OURS.exception("a request of %s failed", "thesecret")
    for line in written.lines:
        errors = line["errors"]
        assert [error["type"] for error in errors] == ["RuntimeError", "KeyError"]
        assert re.fullmatch(r"tests/server/test_logs\.py:\d+ raise_with_secrets", errors[1]["where"][-1])
    assert written.lines[1]["event"] == "a request of %s failed"
    assert "thesecret" not in written.text
    assert "hand" not in written.text


def database_error() -> Exception:
    with pytest.raises(sqlite3.OperationalError) as problem:
        sqlite3.connect(":memory:").execute("SELECT thesecret")
    return problem.value


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (IllegalMove("not-held", card="R7/O1"), "not-held"),
        (TableRefusal("seat-taken", seat=3), "seat-taken"),
        (OSError(28, "thesecret"), "ENOSPC"),
        (OSError("thesecret"), None),
        (ValueError("thesecret"), None),
        (Unavailable("thesecret"), None),
    ],
)
def test_of_an_exception_a_code_is_told_if_it_has_one(error: Exception, code: str | None, written: Written) -> None:
    set_up("INFO", json=True)
    log_event(OURS, "failed", error=error)
    assert written.lines[0]["errors"] == [
        {"type": type(error).__name__, "where": [], **({"code": code} if code else {})}
    ]
    assert "R7" not in written.text


def test_of_a_database_error_its_kind_is_told(written: Written) -> None:
    set_up("INFO", json=True)
    log_event(OURS, "failed", error=database_error())
    assert '"code":"SQLITE_ERROR"' in written.text
    assert "thesecret" not in written.text


def test_exceptions_that_lead_to_each_other_come_to_an_end(written: Written) -> None:
    set_up("INFO", json=True)
    one, other = ValueError(), KeyError()
    one.__cause__, other.__cause__ = other, one
    log_event(OURS, "failed", error=one)
    assert len(written.lines[0]["errors"]) == 5


def test_others_write_their_bare_sentence_by_the_same_rules(written: Written) -> None:
    set_up("DEBUG", json=True)
    logging.getLogger("uvicorn.error").warning('%s - "WebSocket %s" 403', "192.0.2.7", "/tables/ABCD2345")
    logging.getLogger("asyncio").error("Task exception was never retrieved\nfuture: <Task exception=KeyError('R7')>")
    logging.getLogger("elsewhere").error(ValueError("thesecret"))
    logging.getLogger("elsewhere").info("chatter")
    logging.getLogger("uvicorn.error").info("connection open")
    logging.getLogger("uvicorn.access").critical("GET /tables/ABCD2345")
    events = [line["event"] for line in written.lines]
    assert events == ['%s - "WebSocket %s" 403', "Task exception was never retrieved", "ValueError"]
    for secret in ("192.0.2.7", "ABCD2345", "R7", "thesecret"):
        assert secret not in written.text


async def no_app(scope: object, receive: object, send: object) -> None:
    """For uvicorn to be set up with; nothing is ever asked of it."""


def test_uvicorn_keeps_to_it_when_it_is_told_not_to_set_up_logs_itself(written: Written) -> None:
    set_up("INFO", json=True)
    uvicorn.Config(no_app, log_config=None, access_log=False)
    logging.getLogger("uvicorn.error").error("Exception in ASGI application\n")
    logging.getLogger("uvicorn.access").error("GET /tables/ABCD2345")
    assert [line["event"] for line in written.lines] == ["Exception in ASGI application"]


def test_what_uvicorn_had_set_up_before_is_undone(written: Written) -> None:
    uvicorn.Config(no_app)
    set_up("INFO", json=True)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.asgi", "uvicorn.access"):
        logging.getLogger(name).error("broken by %s", "thesecret")
    assert [line["logger"] for line in written.lines] == ["uvicorn", "uvicorn.error", "uvicorn.asgi"]


def test_to_set_up_twice_writes_every_line_once(written: Written) -> None:
    set_up("INFO", json=True)
    set_up("INFO", json=True)
    log_event(OURS, "once")
    assert len(written.lines) == 1
