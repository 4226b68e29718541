"""How long a test waits before it calls something hung: so long that only what hangs for ever trips it."""

from __future__ import annotations

HANG = 600.0  # seconds
