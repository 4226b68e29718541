"""Prometheus metrics, collected when they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import get_args

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from ..wire.parts import SubstituteReason
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
            "lease_runs": (
                "1 while the lease of this server runs, and with it its tables are its own",
                lobby.lease.runs,
            ),
            "damaged": ("Tables and replays found damaged since the start", len(lobby.damaged)),
        }
        counters: dict[str, tuple[str, float]] = {
            "moves": ("Moves made durable", counted.moves),
            "commits": ("Entries made durable", counted.commits),
            "commit_seconds": ("Time that entries took to become durable", counted.commit_seconds),
            "refusals": ("Commands refused", counted.refusals),
            "journal_failures": ("Entries that could not be made durable", counted.journal_failures),
            "leases_lost": (
                "Times that all tables were given up, as the lease could not be renewed",
                lobby.lease.losses,
            ),
            "tables_handed_over": ("Tables that another server asked for", lobby.handed_over),
            "chats": ("Lines of chat", counted.chats),
            "bot_restarts": ("Bot workers started again", thinkers.restarts),
            "bot_failures": ("Questions no bot answered", thinkers.failures),
        }
        for name, (what, value) in gauges.items():
            yield GaugeMetricFamily(f"flipdeck_{name}", what, value)
        for name, (what, value) in counters.items():
            yield CounterMetricFamily(f"flipdeck_{name}", what, value)
        yield _substituted(thinkers.substituted)


def _substituted(counts: Mapping[SubstituteReason, int]) -> Metric:
    what = "Questions that another level answered, or none, by reason"
    family = CounterMetricFamily("flipdeck_bot_substituted", what, labels=["reason"])
    for reason in get_args(SubstituteReason):
        family.add_metric([reason], counts.get(reason, 0))
    return family
