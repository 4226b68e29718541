"""Seconds of processor time that the tests of a room may use in ``make test``, measured on two quiet cores.

They are a budget for whoever adds tests, not a verdict: every run prints what each room used beside it.
CONTRIBUTING.md has the same table, and a test compares them.
"""

from __future__ import annotations

BUDGETS = {"bots": 60, "bulk": 25, "cli": 60, "core": 60, "i18n": 10, "lab": 50, "server": 120, "web": 120, "wire": 15}
