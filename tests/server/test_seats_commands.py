"""What a chair remembers of its commands."""

from __future__ import annotations

import asyncio

from flipdeck.server.table.seats import SeatState

from .sitting import at_once, hall


def test_the_last_thousand_commands_are_known_again_and_the_oldest_are_forgotten() -> None:
    seat_state = SeatState()
    for number in range(1005):
        seat_state.note_done(f"c{number}", number)
    assert len(seat_state.done) == 1000
    assert next(iter(seat_state.done.items())) == ("c5", 5)
    assert seat_state.done["c1004"] == 1004


@at_once
async def test_a_command_is_done_once_though_it_comes_again_after_999_others_and_a_restart() -> None:
    async with hall() as it:
        (ann,) = await it.sit(1, seats=2, start=False)
        first = await ann.do("lock", cmd_id="first", locked=True)

        async def again() -> int:
            return int((await ann.ask("lock", cmd_id="first", locked=True))["version"])

        for number in range(998):
            await ann.do("lock", locked=bool(number % 2))
            await asyncio.sleep(0.01)  # whoever says all in one moment is sent away
        assert await again() == first
        await ann.do("lock", locked=False)
        it.fall_over()
        await ann.connect()
        assert await again() == first, "it is the oldest of the last thousand"
        version = await ann.do("lock", locked=False)
        assert await again() == version + 1, "nobody repeats what is so old"
