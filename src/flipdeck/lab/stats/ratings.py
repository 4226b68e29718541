"""Ratings of bots (openskill, Plackett–Luce): one number per bot, to order them.

Strength in this game is not transitive, so ratings come after the matrix and never replace it.  Rounds are rated in the
order of their deals, whichever was played first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from math import prod, sqrt


@dataclass(frozen=True)
class Rating:
    """``mu`` is the estimate, ``sigma`` its uncertainty; ``ordinal`` is the conservative rating, mu - 3 sigma."""

    bot: str
    mu: float
    sigma: float
    ordinal: float

    def to_dict(self) -> dict[str, str | float]:
        return asdict(self)


def can_rate() -> bool:
    return find_spec("openskill") is not None


def rate(rounds: Iterable[tuple[Sequence[str], int | None]]) -> list[Rating]:
    """Ratings, the best first.  A round is the bots by seat and the seat that won; None is a draw."""
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=0.0)  # the strength of a bot is constant, so its uncertainty never grows
    known: dict[str, tuple[float, float]] = {}  # name: mu, sigma
    for names, winner in rounds:
        before = [known.setdefault(name, (model.mu, model.sigma)) for name in names]
        ranks = [0.0 if winner in (seat, None) else 1.0 for seat in range(len(names))]
        after = model.rate([[model.rating(mu, sigma)] for mu, sigma in before], ranks=ranks)
        found: dict[str, list[tuple[float, float]]] = {}
        for name, (rated,) in zip(names, after, strict=True):
            found.setdefault(name, []).append((rated.mu, rated.sigma))
        for name, seats in found.items():
            known[name] = _together(known[name], seats)
    ratings = [Rating(name, mu, sigma, mu - 3 * sigma) for name, (mu, sigma) in known.items()]
    return sorted(ratings, key=lambda rating: (-rating.mu, rating.bot))


def _together(before: tuple[float, float], seats: list[tuple[float, float]]) -> tuple[float, float]:
    """The update of a bot that sat in several seats: changes of mu add up, reductions of variance multiply."""
    mu, sigma = before
    shrunk = prod((after / sigma) ** 2 for _, after in seats)
    return mu + sum(after - mu for after, _ in seats), sigma * sqrt(shrunk)
