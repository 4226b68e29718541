"""A frame, and all that comes of it at once."""

from __future__ import annotations

import asyncio

from flipdeck.server.transport.session import ClientSession


async def receive(session: ClientSession, text: str | bytes) -> None:
    """A greeting may have to wait for its table: so does this."""
    session.receive(text)
    if session._greeting is not None:
        await asyncio.shield(session._greeting)
