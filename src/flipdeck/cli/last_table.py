"""The code of the table that ``flipdeck play`` made last, beside the journal: a restart goes on with its match."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..server.lobby import Lobby

NAME = "last-table"
OWN_SEAT = 0  # ``flipdeck play`` sits down first


class LastTable:
    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME

    def keep(self, code: str) -> None:
        """Whoever knows a code can join: only the owner of the folder may read it.  Not kept is not resumed."""
        with suppress(OSError):
            self._path.touch(0o600)
            self._path.write_text(f"{code}\n", encoding="ascii")

    def code(self) -> str | None:
        from ..server.identity import read_code

        try:
            return read_code(self._path.read_text(encoding="ascii").strip())
        except (OSError, ValueError):
            return None

    async def seat_in_play(self, lobby: Lobby) -> tuple[str, str] | None:
        """The code, and the hash of a token of the own seat, while there is still something to play there."""
        from ..server.journal import JournalError
        from ..wire.errors import TableRefusal

        code = self.code()
        try:
            table = None if code is None else await lobby.wake(code)
        except (TableRefusal, JournalError):  # made for earlier rules, or damaged: a new one is made
            return None
        if table is None or table.state.phase not in ("playing", "between") or table.state.closed is not None:
            return None
        seat = table.state.seats[OWN_SEAT]
        if seat.kind != "person" or seat.left or not seat.tokens:
            return None
        return table.state.code, seat.tokens[-1]
