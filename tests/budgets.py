"""Seconds of processor time that the tests of a room may use in ``make test``, on two quiet cores.

They are a budget for whoever adds tests, not a verdict: every run prints what each room used beside it.
CONTRIBUTING.md has the same table, and a test compares them.
"""

from __future__ import annotations

BUDGETS = {
    "bots": 50, "bulk": 15, "cli": 55, "cluster": 25, "core": 70, "deploy": 15, "envs": 40, "i18n": 5,
    "lab": 40, "server": 120, "web": 75, "wire": 15,
}  # fmt: skip
