"""What a server counts of the tables that several servers share."""

from __future__ import annotations

import asyncio

import pytest
from prometheus_client.parser import text_string_to_metric_families

from flipdeck.server.durations import Durations
from flipdeck.server.metrics import Metrics
from flipdeck.server.takeover import FORGOTTEN_SECONDS, Takeovers

from .seats import SeatClient
from .sitting import Hall, Ledger, at_once, hall, stop_renewing
from .test_handover import moves, there, two_servers


def shown(it: Hall) -> dict[str, float]:
    """What Prometheus reads; of histograms each bucket by its bound."""
    families = text_string_to_metric_families(Metrics(it.lobby).text())
    samples = [sample for family in families for sample in family.samples]
    return {sample.name + sample.labels.get("le", ""): sample.value for sample in samples}


def test_a_histogram_counts_what_took_at_most_so_long() -> None:
    times = Durations((0.1, 1.0))
    for seconds in (0.05, 0.1, 0.5, 2.0):
        times.add(seconds)
    assert times.buckets() == [("0.1", 2.0), ("1.0", 3.0), ("+Inf", 4.0)]
    assert times.count == 4
    assert times.seconds == pytest.approx(2.65)


@at_once
async def test_a_server_alone_holds_its_tables_under_one_lease() -> None:
    async with hall(lease_seconds=6) as it:
        for _ in range(3):
            await it.make()
        await asyncio.sleep(60)
        told = shown(it)
        assert [told[f"flipdeck_{name}"] for name in ("lease_runs", "tables_held", "draining")] == [1, 3, 0]
        assert [told[f"flipdeck_{name}_total"] for name in ("leases_begun", "tables_taken", "leases_lost")] == [1, 3, 0]
        it.lobby.closing = True
        assert shown(it)["flipdeck_draining"] == 1
        it.lobby.closing = False


@at_once
async def test_commits_are_counted_by_how_long_they_take() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        seats = await it.sit(2)
        ledger.slow = 0.2
        before = shown(it)
        await moves(seats, 3)
        after = shown(it)

        def rose(name: str) -> float:
            return after[name] - before[name]

        assert rose("flipdeck_commit_seconds_bucket0.1") == 0
        assert rose("flipdeck_commit_seconds_bucket0.25") == rose("flipdeck_commit_seconds_count") >= 3
        assert rose("flipdeck_commits_total") == rose("flipdeck_commit_seconds_count")
        assert rose("flipdeck_commit_seconds_sum") == pytest.approx(0.2 * rose("flipdeck_commit_seconds_count"))


@at_once
async def test_a_handover_is_counted_where_it_is_asked_for_and_where_it_is_given_or_refused() -> None:
    async with two_servers(hold_seconds=10) as (_, first, second):
        seats = await first.sit(2)
        ann = there(seats, second)[0]
        began = asyncio.get_running_loop().time()
        while (answer := await ann.connect())["type"] != "welcome":
            await asyncio.sleep(answer["facts"]["retry_after"])
        took = asyncio.get_running_loop().time() - began
        here, over = shown(first), shown(second)
        assert here["flipdeck_handovers_given_total"] == 1
        assert here["flipdeck_handovers_refused_total"] >= 1
        assert (here["flipdeck_tables_held"], over["flipdeck_tables_held"]) == (0, 1)
        assert over["flipdeck_handovers_asked_total"] == 1, "however often it came back for it"
        assert over["flipdeck_takeover_seconds_count"] == 1
        assert over["flipdeck_takeover_seconds_sum"] == pytest.approx(took, abs=0.1)


@at_once
async def test_the_tables_of_a_dead_server_are_taken_over_and_the_time_is_counted_from_the_first_who_came() -> None:
    async with two_servers(hold_seconds=3600) as (_, first, second):
        seats = await first.sit(2)
        others = there(seats, second)
        stop_renewing(first.lobby)
        await come_back(others[0])
        told = shown(second)
        assert told["flipdeck_takeover_seconds_count"] == told["flipdeck_takeover_seconds_bucket8.0"] == 1
        assert told["flipdeck_takeover_seconds_sum"] > 2


async def come_back(seat: SeatClient) -> None:
    while (answer := await seat.connect())["type"] != "welcome":
        await asyncio.sleep(answer["facts"]["retry_after"])


@at_once
async def test_a_server_whose_lease_ended_counts_what_it_lost_and_what_was_fenced() -> None:
    async with two_servers(hold_seconds=3600) as (ledger, first, second):
        seats = await first.sit(2)
        table = first.table(seats[0].code)
        await ledger.end_lease(first.lobby.lease.node)  # as if it had stood still: it knows nothing of it
        others = there(seats, second)
        await come_back(others[0])
        mover = next(seat for seat in seats if seat.on_turn)
        await mover.send("move", version=mover.version, move=mover.view["legal"][-1])
        await mover.hear("bye")
        told = shown(first)
        assert told["flipdeck_tables_lost_total"] == 1
        assert told["flipdeck_fenced_appends_total"] + told["flipdeck_leases_lost_total"] >= 1
        assert table.lost
        await asyncio.sleep(10)
        told = shown(first)
        assert told["flipdeck_leases_lost_total"] == 1
        assert told["flipdeck_leases_begun_total"] == 2
        assert told["flipdeck_tables_lost_total"] == 1, "each table once"


@at_once
async def test_a_table_that_nobody_came_back_for_begins_anew() -> None:
    takeovers = Takeovers(Ledger())
    takeovers._want("AAAAAAAA", 100.0)
    takeovers._want("AAAAAAAA", 104.0)
    takeovers._note_taken("AAAAAAAA", 105.0)
    assert (takeovers.asked, takeovers.times.count, takeovers.times.seconds) == (1, 1, 5.0)
    takeovers._want("AAAAAAAA", 200.0)
    takeovers._want("AAAAAAAA", 201.0 + FORGOTTEN_SECONDS)
    takeovers._note_taken("AAAAAAAA", 203.0 + FORGOTTEN_SECONDS)
    assert (takeovers.asked, takeovers.times.count, takeovers.times.seconds) == (3, 2, 7.0)
