"""What we override and use of uvicorn is still there.  None of it is documented, so that any release may change it.

After an update of the pin in pyproject.toml, a failure here names the member: read what uvicorn made of it, adapt the
override, and write the new parameters down.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import uvicorn
from packaging.requirements import Requirement
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from flipdeck.server.app import Server
from flipdeck.server.transport.protocols import BoundedHttpProtocol, WebSocketProtocol

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"


class Reliance(NamedTuple):
    """What one class of ours takes from uvicorn's: methods with their parameters, attributes that it sets."""

    ours: type
    base: type
    overridden: dict[str, tuple[str, ...]]
    used: dict[str, tuple[str, ...]]
    attributes: frozenset[str]


RELIANCES = [
    Reliance(
        Server,
        uvicorn.Server,
        overridden={
            "__init__": ("config",),
            "handle_exit": ("sig", "frame"),
            "shutdown": ("sockets",),
        },
        used={},
        attributes=frozenset({"should_exit", "servers"}),
    ),
    Reliance(
        BoundedHttpProtocol,
        HttpToolsProtocol,
        overridden={
            "connection_made": ("transport",),
            "connection_lost": ("exc",),
            "data_received": ("data",),
            "on_message_begin": (),
            "on_message_complete": (),
            "on_response_complete": (),
            "handle_websocket_upgrade": (),
            "timeout_keep_alive_handler": (),
        },
        used={},
        attributes=frozenset({"client", "loop", "pipeline", "transport"}),
    ),
    Reliance(
        WebSocketProtocol,
        WebSocketsSansIOProtocol,
        overridden={
            "__init__": ("config", "server_state", "app_state", "_loop"),
            "connection_lost": ("exc",),
            "keepalive_timeout": (),
            "shutdown": (),
            "data_received": ("data",),
            "run_asgi": (),
            "send_receive_event_to_app": (),
            "handle_ping": (),
            "handle_pong": ("event",),
            "handle_cont": ("event",),
        },
        used={"send": ("message",), "handle_parser_exception": ()},
        attributes=frozenset(
            {
                "close_sent",
                "conn",
                "curr_msg_data_type",
                "frames",
                "handshake_initiated",
                "loop",
                "scope",
                "transport",
                "writable",
            }
        ),
    ),
]
each_class = pytest.mark.parametrize("reliance", RELIANCES, ids=lambda reliance: reliance.ours.__name__)


def changed(reliance: Reliance, member: str, how: str) -> str:
    file = Path(inspect.getfile(reliance.ours))
    place = f"{file.parent.name}/{file.name}"
    return f"uvicorn {uvicorn.__version__} changed {reliance.base.__name__}.{member}, which {place} {how}"


def parameters(method: Any) -> tuple[str, ...]:
    return tuple(inspect.signature(method).parameters)[1:]


def attributes_of_self(owner: type, kind: type[ast.expr_context]) -> Iterator[str]:
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(owner)))):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, kind) and ast.unparse(node.value) == "self":
            yield node.attr


# ---------------------------------------------------------------- uvicorn has not changed
@each_class
def test_every_method_that_we_override_or_call_has_the_parameters_we_know(reliance: Reliance) -> None:
    for member, known in (reliance.overridden | reliance.used).items():
        found = getattr(reliance.base, member, None)
        how = "overrides" if member in reliance.overridden else "calls"
        assert found is not None, changed(reliance, member, how)
        assert parameters(found) == known, changed(reliance, member, how)


@each_class
def test_every_attribute_that_we_use_is_set_by_uvicorn(reliance: Reliance) -> None:
    owned = {*attributes_of_self(reliance.base, ast.Store)}
    for member in sorted(reliance.attributes):
        assert member in owned, changed(reliance, member, "uses")


# ---------------------------------------------------------------- the lists above are whole
@each_class
def test_the_list_names_every_member_that_we_override(reliance: Reliance) -> None:
    written = {name for name, value in vars(reliance.ours).items() if inspect.isfunction(value)}
    assert {name for name in written if hasattr(reliance.base, name)} == {*reliance.overridden}


@each_class
def test_the_list_names_every_member_that_we_use(reliance: Reliance) -> None:
    declared = {*vars(reliance.ours), *inspect.get_annotations(reliance.ours)}
    own = {*declared, *attributes_of_self(reliance.ours, ast.Store)} - reliance.attributes
    read = {*attributes_of_self(reliance.ours, ast.Load), *attributes_of_self(reliance.ours, ast.Store)} - own
    assert read == {*reliance.attributes, *reliance.used}


def test_a_member_that_is_gone_or_changed_is_named() -> None:
    class Next(HttpToolsProtocol):
        def data_received(self, data: bytes, more: bool = False) -> None: ...

        on_message_begin = None  # type: ignore[assignment]

    for member in ("data_received", "on_message_begin"):
        told = RELIANCES[1]._replace(base=Next, overridden={member: RELIANCES[1].overridden[member]})
        with pytest.raises(AssertionError, match=f"changed Next.{member}, which transport/protocols.py overrides"):
            test_every_method_that_we_override_or_call_has_the_parameters_we_know(told)


# ---------------------------------------------------------------- the pin
def test_the_pin_admits_the_minor_release_that_is_tested_and_no_other() -> None:
    extras = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    [pin] = [found for text in extras["server"] if (found := Requirement(text)).name == "uvicorn"]
    major, minor, _ = map(int, version("uvicorn").split("."))
    assert version("uvicorn") in pin.specifier
    assert f"{major}.{minor + 1}.0" not in pin.specifier
    assert f"{major}.{minor - 1}.99" not in pin.specifier
