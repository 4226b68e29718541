"""An experiment in the terminal: played under a progress bar, its report printed."""

from __future__ import annotations

import json
import os
import sys

from ...lab.experiments import Experiment, R
from ...lab.run.report_folder import FolderRefused
from ...lab.run.shards import RunError
from .. import INTERRUPTED, OK, CommandError, FailedError
from .progress import Gauge, ProgressBar
from .run_options import RunOptions


def run(experiment: Experiment[R], options: RunOptions, gauge: Gauge) -> int:
    progress = ProgressBar(gauge, options.quiet)
    try:
        report = experiment.run(jobs=options.jobs, cluster=options.cluster, out=options.out, progress=progress)
    except FolderRefused as refused:
        raise CommandError(str(refused)) from None
    except RunError as error:
        raise (FailedError if error.began else CommandError)(str(error)) from None
    _print(experiment, report, options)
    return OK if report.complete else INTERRUPTED


def _print(experiment: Experiment[R], report: R, options: RunOptions) -> None:
    if options.json:
        print(json.dumps(report.to_dict()))
    elif report.played:
        print("\n".join(report.lines()))
        print(f"\nAgain: {report.command}")
        if options.out is not None:
            print(f"Report: {os.path.join(options.out, 'report.html')}")
    if report.complete or options.quiet:
        return
    played, unit = report.played, experiment.unit
    stopped = f"after {played:,} of {report.asked:,} {unit}" if played else "before the first result"
    goes_on = experiment.resumes and options.out is not None and played
    remark = " The same command goes on from there." if goes_on else ""
    print(f"\nStopped {stopped}.{remark}", file=sys.stderr)
