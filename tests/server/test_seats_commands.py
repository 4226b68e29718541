"""What a chair remembers of its commands."""

from __future__ import annotations

from flipdeck.server.table.seats import MOST_DONE, SeatState


def test_the_last_commands_are_known_again_and_the_oldest_are_forgotten() -> None:
    seat_state = SeatState()
    for number in range(MOST_DONE + 5):
        seat_state.note_done(f"c{number}", number)
    assert len(seat_state.done) == MOST_DONE
    assert next(iter(seat_state.done.items())) == ("c5", 5)
    assert seat_state.done[f"c{MOST_DONE + 4}"] == MOST_DONE + 4
