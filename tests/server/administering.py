"""An operator in the same loop as the server: asks through the real door, as ``flipdeck admin`` does."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any, TypeVar

import pytest

from flipdeck.server.admin.client import ask
from flipdeck.server.admin.commands import Operator, Use
from flipdeck.server.admin.messages import AdminRefusal, AdminReply, AnyAdminRequest

T = TypeVar("T", bound=AdminReply)


async def asked(folder: Path, request: AnyAdminRequest, kind: type[T]) -> T:
    """The reply, which must be of this kind."""
    reply = await asyncio.to_thread(ask, folder, request)
    assert isinstance(reply, kind)
    return reply


async def refused_to_operator(folder: Path, request: AnyAdminRequest) -> str:
    """The code with which the request is refused."""
    with pytest.raises(AdminRefusal) as refused:
        await asyncio.to_thread(ask, folder, request)
    return refused.value.code


async def refusal_of(operator: Operator, request: AnyAdminRequest, use: Use) -> str:
    """The code with which it is refused, asked without a door."""
    with pytest.raises(AdminRefusal) as refused:
        await operator.carry_out(request, use)
    return refused.value.code


def uses(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    """What the log says about the operator so far."""
    records = [record for record in caplog.records if record.name == "flipdeck.admin" and record.message == "admin"]
    assert all(record.levelno == logging.INFO for record in records)
    return [record.__dict__["fields"] for record in records]
