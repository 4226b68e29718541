"""Without a terminal there is no bar; what has to be waited for is said, unless it shall be quiet."""

from __future__ import annotations

import pytest

from flipdeck.bulk.batches import Setting
from flipdeck.cli.runs.progress import COMPILING, MATCHES, ROUNDS, ProgressBar
from flipdeck.lab.experiments import MatchJob
from flipdeck.lab.run.arena import Arena

JOB = MatchJob(Setting("classic", 2, {"scoring": "quick"}), bytes(32), 20)


@pytest.mark.usefixtures("compiled_rules")
def test_gauges_count_what_is_played_and_what_the_rate_is_of() -> None:
    part = JOB.play(JOB.shards()[0])
    assert (MATCHES.total(JOB), MATCHES.played(part)) == (20, 20)
    assert MATCHES.done(part) == part.summary.decisions
    assert MATCHES.rate(2.5e6) == "2.5 M decisions/s"
    arena = Arena(JOB.setting, ("random", "random"), 4, bytes(32))
    rounds = arena.play(arena.shards()[0])
    assert (ROUNDS.total(arena), ROUNDS.played(rounds), ROUNDS.done(rounds)) == (4, 4, 4)
    assert ROUNDS.rate(12.34) == "12.3 rounds/s"


@pytest.mark.usefixtures("compiled_rules")
def test_without_a_terminal_nothing_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with ProgressBar(MATCHES, quiet=False).playing(JOB, resumed=0) as advance:
        advance(JOB.play(JOB.shards()[0]))
    assert capsys.readouterr() == ("", "")


def test_compiling_is_announced_unless_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    ProgressBar(MATCHES, quiet=False).compiling()
    assert capsys.readouterr().err == COMPILING + "\n"
    ProgressBar(MATCHES, quiet=True).compiling()
    assert capsys.readouterr().err == ""
