"""Prometheus metrics, collected when they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import get_args

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from ..wire.parts import SubstituteReason
from .durations import Durations
from .lobby import Lobby


class Metrics(Collector):
    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def text(self) -> str:
        return generate_latest(self._registry).decode()

    def collect(self) -> Iterable[Metric]:
        lobby, counted, thinkers = self._lobby, self._lobby.context.counters, self._lobby.context.thinkers
        gauges: dict[str, tuple[str, float]] = {
            "tables_awake": ("Tables in memory", len(lobby.tables)),
            "tables_watched": ("Tables with somebody at them", sum(bool(t.connections) for t in lobby.tables.values())),
            "connections": ("Open websockets", counted.connections),
            "bot_search_ready": ("1 when the search of the best bots is loaded", thinkers.search.state == "ready"),
            "damaged": ("Tables and replays found damaged since the start", len(lobby.damaged)),
        }
        counters: dict[str, tuple[str, float]] = {
            "moves": ("Moves made durable", counted.moves),
            "commits": ("Entries made durable", counted.commit_times.count),
            "refusals": ("Commands refused", counted.refusals),
            "journal_failures": ("Entries that could not be made durable", counted.journal_failures),
            "chats": ("Lines of chat", counted.chats),
            "bot_restarts": ("Bot workers started again", thinkers.restarts),
            "bot_failures": ("Questions no bot answered", thinkers.failures),
        }
        yield from _gauges(gauges)
        yield from _counters(counters)
        yield _histogram("commit_seconds", "Time that entries took to become durable", counted.commit_times)
        yield from self._of_node()
        yield _substituted(thinkers.substituted)

    def _of_node(self) -> Iterable[Metric]:
        """What this server has of the tables that several servers share."""
        lobby, counted = self._lobby, self._lobby.context.counters
        yield from _gauges(
            {
                "lease_runs": ("1 while the lease of this server runs: its tables are its own", lobby.lease.runs),
                "draining": ("1 while the server is about to stop", lobby.draining),
                "tables_held": ("Tables that belong to this server", sum(not t.lost for t in lobby.tables.values())),
            }
        )
        yield from _counters(
            {
                "leases_begun": ("Leases that this server has begun", lobby.lease.begun),
                "leases_lost": ("Times that all tables were given up, as the lease ended", lobby.lease.losses),
                "renewals_failed": ("Attempts to begin or renew the lease that failed", lobby.lease.failures),
                "tables_taken": ("Tables that this server has claimed", lobby.taken),
                "tables_lost": ("Tables given up without handing them over", counted.tables_lost),
                "fenced_appends": ("Entries refused: another server has the table", counted.fenced_appends),
                "handovers_asked": ("Tables that this server has asked another for", lobby.takeovers.asked),
                "handovers_given": ("Tables that another server asked for, and got", lobby.handed_over),
                "handovers_refused": ("Times that a table asked for was kept for a while", lobby.kept),
            }
        )
        what = "Time from when a table of another server was first wanted here until it was taken"
        yield _histogram("takeover_seconds", what, lobby.takeovers.times)


Described = Mapping[str, tuple[str, float]]  # by name: what it is, and its value


def _gauges(described: Described) -> Iterable[Metric]:
    return (GaugeMetricFamily(f"flipdeck_{name}", what, value) for name, (what, value) in described.items())


def _counters(described: Described) -> Iterable[Metric]:
    return (CounterMetricFamily(f"flipdeck_{name}", what, value) for name, (what, value) in described.items())


def _histogram(name: str, what: str, times: Durations) -> Metric:
    return HistogramMetricFamily(f"flipdeck_{name}", what, times.buckets(), times.seconds)


def _substituted(counts: Mapping[SubstituteReason, int]) -> Metric:
    what = "Questions that another level answered, or none, by reason"
    family = CounterMetricFamily("flipdeck_bot_substituted", what, labels=["reason"])
    for reason in get_args(SubstituteReason):
        family.add_metric([reason], counts.get(reason, 0))
    return family
