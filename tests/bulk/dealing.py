"""The least that can be compiled of the rules: who deals next.  Run as a program, it says what both twins say."""

from __future__ import annotations

from typing import Any

from flipdeck.bulk import kernels, twin
from flipdeck.bulk.batches import Setting
from flipdeck.core.rules.deal import next_dealer

assert kernels.play_round is not None  # what is compiled has been prepared


@twin.compiled
def deals_next(games: Any) -> int:
    return int(next_dealer(games[0]))


def main() -> None:
    setting = Setting("classic", 3, {}, ("eager",))
    print(next_dealer(setting.game()), deals_next(setting.games()))


if __name__ == "__main__":
    main()
