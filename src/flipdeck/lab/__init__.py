"""Experiments with statistics: simulate, compare and rank, with 95 % confidence intervals and reports.

It needs ``flipdeck[bulk]``; pages and ratings need ``flipdeck[lab]``.
"""

from typing import TYPE_CHECKING

from ..lazy_exports import lazy_exports

if TYPE_CHECKING:
    from ..bulk.batches import Setting
    from .arena_experiment import ArenaExperiment, ArenaReport
    from .experiment import Experiment, Progress, Report
    from .match_experiments import Comparison, ComparisonReport, Simulation, SimulationReport
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
    ".arena_experiment": ("ArenaExperiment", "ArenaReport"),
    ".experiment": ("Experiment", "Progress", "Report"),
    ".match_experiments": ("Comparison", "ComparisonReport", "Simulation", "SimulationReport"),
    ".run.report_folder": ("FolderRefused",),
    ".run.shards": ("RunError",),
}


__getattr__ = lazy_exports(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
