"""Experiments with statistics: simulate, compare and rank, with 95 % confidence intervals and reports.

It needs ``flipdeck[bulk]``; pages and ratings need ``flipdeck[lab]``.
"""

from typing import TYPE_CHECKING

from ..lazy_exports import lazy_exports

if TYPE_CHECKING:
    from ..bulk.batches import Setting
    from .arena_experiment import ArenaExperiment
    from .experiments import Comparison, Experiment, Report, Simulation
    from .report.arena.report import ArenaReport
    from .report.match_report import ComparisonReport, SimulationReport
    from .run.execution import Progress
    from .run.report_folder import FolderRefused
    from .run.shards import RunError

__all__ = [
    "ArenaExperiment",
    "ArenaReport",
    "Comparison",
    "ComparisonReport",
    "Experiment",
    "FolderRefused",
    "Progress",
    "Report",
    "RunError",
    "Setting",
    "Simulation",
    "SimulationReport",
]

_HOMES = {
    "..bulk.batches": ("Setting",),
    ".arena_experiment": ("ArenaExperiment",),
    ".experiments": ("Comparison", "Experiment", "Report", "Simulation"),
    ".report.arena.report": ("ArenaReport",),
    ".report.match_report": ("ComparisonReport", "SimulationReport"),
    ".run.execution": ("Progress",),
    ".run.report_folder": ("FolderRefused",),
    ".run.shards": ("RunError",),
}


__getattr__ = lazy_exports(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
