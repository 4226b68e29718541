"""Prometheus metrics, collected when they are asked for."""

from __future__ import annotations

from collections.abc import Iterable

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from .lobby import Lobby


class Metrics(Collector):
    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def text(self) -> str:
        return generate_latest(self._registry).decode()

    def collect(self) -> Iterable[Metric]:
        lobby, counted = self._lobby, self._lobby.context.counters
        gauges: dict[str, tuple[str, float]] = {
            "tables_awake": ("Tables in memory", len(lobby.tables)),
            "tables_watched": ("Tables with somebody at them", sum(bool(t.connections) for t in lobby.tables.values())),
            "connections": ("Open websockets", counted.connections),
            "damaged": ("Tables and replays found damaged since the start", len(lobby.damaged)),
        }
        counters: dict[str, tuple[str, float]] = {
            "moves": ("Moves made durable", counted.moves),
            "commits": ("Entries made durable", counted.commits),
            "commit_seconds": ("Time that entries took to become durable", counted.commit_seconds),
            "refusals": ("Commands refused", counted.refusals),
            "journal_failures": ("Entries that could not be made durable", counted.journal_failures),
            "chats": ("Lines of chat", counted.chats),
            "bot_restarts": ("Bot workers started again", lobby.context.thinkers.restarts),
            "bot_failures": ("Questions no bot answered", lobby.context.thinkers.failures),
            "bot_hurried": ("Questions a plainer bot answered, as the queue was long", lobby.context.thinkers.hurried),
        }
        for name, (what, value) in gauges.items():
            yield GaugeMetricFamily(f"flipdeck_{name}", what, value)
        for name, (what, value) in counters.items():
            yield CounterMetricFamily(f"flipdeck_{name}", what, value)
