"""What a chair remembers of its commands."""

from __future__ import annotations

from flipdeck.server.table.seats import MOST_DONE, Chair


def test_the_last_commands_are_known_again_and_the_oldest_are_forgotten() -> None:
    chair = Chair()
    for number in range(MOST_DONE + 5):
        chair.carried_out(f"c{number}", number)
    assert len(chair.done) == MOST_DONE
    assert next(iter(chair.done.items())) == ("c5", 5)
    assert chair.done[f"c{MOST_DONE + 4}"] == MOST_DONE + 4
