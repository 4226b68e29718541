"""Which tests one worker of pytest-xdist runs one after the other: those of a file, which share what it sets up.

Files that share something costly, such as a browser, are one group.  The marker ``xdist_group`` has no effect with this
version of pytest: pytest-xdist would add it to a name that is no longer kept where it writes it.
"""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

# A browser takes a core for itself, so there are two: each has about half of the work.
FIRST, SECOND = ("scenes", "tables", "matches", "states"), ("looks", "sizes", "around", "motion", "listening")
# What learns is loaded once, or compiled where it is not yet, and not by several at the same time.
TRAINING = ("lab/test_trainer", "cli/test_train", "cli/test_warm")
GROUPS = {
    **{f"web/test_{name}": "first browser" for name in FIRST},
    **{f"web/test_{name}": "second browser" for name in SECOND},
    **dict.fromkeys(TRAINING, "training"),
}


class Groups(LoadScopeScheduling):  # type: ignore[misc]  # it has no types
    def _split_scope(self, nodeid: str) -> str:
        name = nodeid.partition("::")[0].removeprefix("tests/").removesuffix(".py")
        return GROUPS.get(name, name)
