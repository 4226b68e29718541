"""A run is split into shards that hold every match once, and are made when they are asked for."""

from __future__ import annotations

from flipdeck.bulk.batches import Setting
from flipdeck.lab.experiments import MatchJob, PairedJob

SEED = bytes([7] * 32)


def test_a_run_is_cut_into_shards_that_hold_every_match_once() -> None:
    for games in (1, 255, 256, 257, 1000):
        shards = MatchJob(Setting(), SEED, games).shards()
        assert [shard.number for shard in shards] == list(range(len(shards)))
        assert [i for shard in shards for i in range(shard.first, shard.first + shard.count)] == list(range(games))
        assert shards[-1] == shards[len(shards) - 1] == shards[-1:][0]


def test_long_matches_make_small_shards_and_none_of_them_is_made_before_its_time() -> None:
    assert MatchJob(Setting(options={"scoring": "quick"}), SEED, 1).shard_size() == 1024
    assert MatchJob(Setting(), SEED, 1).shard_size() == 256
    assert MatchJob(Setting(options={"target": 1_000_000}), SEED, 1).shard_size() == 1
    pair = PairedJob(Setting(options={"scoring": "quick"}), SEED, 1, other=Setting())
    assert pair.shard_size() == 256
    assert len(MatchJob(Setting(), SEED, 10**12).shards()) == 3_906_250_000
