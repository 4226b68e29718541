"""Bulk play: the functions of ``core.rules`` compiled with Numba, for batches of matches, rollouts and game steps.

It needs the extra ``flipdeck[bulk]`` (Numba and NumPy); without it ``require`` raises ``MissingExtra``.

    from flipdeck.bulk.batches import Setting, play, roll_out
    from flipdeck.bulk.vector import VectorGames

    setting = Setting("classic", players=4, policies=("eager",))
    for table in play(setting, seed=seed_of("abc"), first=0, count=1000):
        ...                                  # one row per round: see ``rows``
    roll_out([game], setting, count=200)     # the rest of a round, many times over
    games = VectorGames(setting, 64)         # observations, legal masks, rewards; see ``acting``
"""

from __future__ import annotations

from importlib.util import find_spec

MISSING = "This needs Numba and NumPy: install them with  pip install 'flipdeck[bulk]'"


class MissingExtra(ImportError):  # noqa: N818  # what it is called where it is caught
    """Numba or NumPy is missing; the message says what to install."""


def available() -> bool:
    return all(find_spec(name) is not None for name in ("numba", "numpy"))


def require() -> None:
    if not available():
        raise MissingExtra(MISSING)
