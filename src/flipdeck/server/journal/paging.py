"""Entries are read a page at a time: whoever commits waits for a page of somebody else's table, never for all of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple

# Rows of a page, some 5 ms.  A journal whose snapshot can be read has fewer after it, and takes one page.
MOST_ROWS = 2000
TableMark = tuple[int, int]  # the epoch, and the number of the first entry


class EntryPage(NamedTuple):
    """Entries in order, beginning after a number.  With another mark they don't belong to those read before: the table
    was compacted, claimed or deleted meanwhile.
    """

    mark: TableMark | None  # there is no such table
    last: int  # the number of the last entry up to here
    bodies: list[bytes]

    @property
    def is_full(self) -> bool:
        """There may be more."""
        return len(self.bodies) == MOST_ROWS


async def read_in_pages(read: Callable[[int], Awaitable[EntryPage]], after: int) -> EntryPage:
    """All entries after a number, as if they were one page.  ``read`` gives the page after one."""
    page = begun = await read(after)
    bodies = [*begun.bodies]
    while page.is_full:
        page = await read(page.last)
        if page.mark == begun.mark:
            bodies += page.bodies
        else:
            page = begun = await read(after)
            bodies = [*begun.bodies]
    return EntryPage(page.mark, page.last, bodies)
