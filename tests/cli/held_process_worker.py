"""``python -m tests.cli.held_process_worker COMMAND …``: a command whose workers play the first shard and no other.

They begin the next ones and never end them, so that it can be stopped in the middle, however fast the machine is.
Without a command it is such a worker.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from flipdeck import cli
from flipdeck.lab.run import process_worker, processes
from flipdeck.lab.run.shards import Part, Shard, ShardPlayer, play_shard

NAME = "tests.cli.held_process_worker"
ROOT = Path(__file__).parents[2]


def play_the_first(work: ShardPlayer[Any], shard: Shard) -> Part[Any]:
    if shard.number > 0:
        threading.Event().wait()
    return play_shard(work, shard)


def main(arguments: list[str]) -> int:
    if not arguments:
        with patch.object(process_worker, "play_shard", play_the_first):
            process_worker.main()
        return 0
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    with patch.object(processes, "process_worker", SimpleNamespace(__name__=NAME)):
        return cli.main(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
