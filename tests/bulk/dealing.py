"""The least that can be compiled of the rules: a deal.  Run as a program, it says what both twins deal."""

from __future__ import annotations

from typing import Any

from flipdeck.bulk import kernels, twin
from flipdeck.bulk.batches import Setting, run_key
from flipdeck.bulk.playing import start_match
from flipdeck.core.seeds import key_words, seed_of

SEED = seed_of("dealing")
assert kernels.play_round is not None  # what is compiled has been prepared


@twin.compiled
def dealt(games: Any, key: Any) -> int:
    start_match(games[0], key, 1)
    return int(games[0].counts[0])


def main() -> None:
    setting = Setting("classic", 3, {}, ("eager",))
    game = setting.game()
    start_match(game, key_words(SEED), 1)
    print(game.counts[0], dealt(setting.games(), run_key(SEED)))


if __name__ == "__main__":
    main()
