"""A worker of a cluster: it plays a shard, if its code is identical to that of the machine that asks."""

from __future__ import annotations

import hashlib
import pickle
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from ...bulk.twin import cache_folder
from .shards import Shard, ShardPlayer, play_shard

COMPILE_SECONDS = 120.0


@cache
def fingerprint() -> str:
    """A hash of everything that decides results: machines with the same fingerprint play and count alike."""
    digest = hashlib.sha256(cache_folder().name.encode())  # named by a hash of the rules and of their compiler
    package = Path(__file__).parents[2]
    patterns = ("core/**/*.toml", "lab/**/*.py", "bots/**/*.*")
    for path in sorted(path for pattern in patterns for path in package.glob(pattern)):
        if path.is_file() and path.suffix != ".pyc":
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def play_pickled(job: bytes, shard: bytes) -> bytes:
    the_job: ShardPlayer[Any] = pickle.loads(job)  # noqa: S301  # from a client that may run any code here: that is what a cluster is
    the_shard: Shard = pickle.loads(shard)  # noqa: S301
    compile_once(the_job, the_shard)
    return pickle.dumps(play_shard(the_job, the_shard))


_compiled = False


def compile_once(job: ShardPlayer[Any], shard: Shard) -> None:
    """Compile, or read the cache: one worker per machine compiles and the others wait for it."""
    global _compiled  # noqa: PLW0603  # once a process
    if _compiled:
        return
    from filelock import FileLock, Timeout  # comes with Ray; only workers need it

    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / "compiling.lock")
    with suppress(Timeout):  # the holder is stuck: compile too, cache files are replaced atomically
        lock.acquire(timeout=COMPILE_SECONDS)
    try:
        play_shard(job, Shard(shard.number, shard.first, 1))
    finally:
        lock.release()
    _compiled = True
