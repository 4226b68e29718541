"""A small feed-forward net with its gradient: features in, chance to win and remaining time out.  Compilable.

Two hidden layers (ReLU), two logistic outputs.  Time is a share of LONG decisions; its output reads the hidden layers
and sends no gradient into them.  All weights are one flat array, layer after layer, so that code which saves, sends or
updates them needs to know nothing else.  Sums run in one fixed order over single-precision floats, on any machine and
any number of threads: the same games and the same weights give the same bits.
"""

from __future__ import annotations

from math import exp, log

from .features import FEATURES

FIRST, SECOND = 128, 64
W1 = 0  # [feature, first], then the biases
B1 = W1 + FEATURES * FIRST
W2 = B1 + FIRST  # [first, second]
B2 = W2 + FIRST * SECOND
W3 = B2 + SECOND
B3 = W3 + SECOND
W4 = B3 + 1  # the same for time
B4 = W4 + SECOND
WEIGHTS = B4 + 1
HIDDEN = FIRST + SECOND
LONG = 200  # decisions; what takes longer counts as this


def forward(w: list[float], x: list[float], h: list[float]) -> float:
    """The logit of the chance to win; ``h`` gets the pre-activations of both hidden layers."""
    for j in range(FIRST):
        h[j] = w[B1 + j]
    for i in range(FEATURES):
        v = x[i]
        if v != 0.0:
            row = W1 + i * FIRST
            for j in range(FIRST):
                h[j] += v * w[row + j]
    return from_first(w, h)


def forward_from(w: list[float], before: list[float], x: list[float], h: list[float]) -> float:
    """The same, incrementally: ``h`` is left from ``before``; only features that differ are updated.

    ``before`` becomes ``x``.  The moves of one decision differ in a few features only.
    """
    for i in range(FEATURES):
        if x[i] != before[i]:
            v = x[i] - before[i]
            before[i] = x[i]
            row = W1 + i * FIRST
            for j in range(FIRST):
                h[j] += v * w[row + j]
    return from_first(w, h)


def from_first(w: list[float], h: list[float]) -> float:
    for j in range(SECOND):
        h[FIRST + j] = w[B2 + j]
    for i in range(FIRST):
        v = h[i]
        if v > 0.0:
            row = W2 + i * SECOND
            for j in range(SECOND):
                h[FIRST + j] += v * w[row + j]
    return last(w, h, W3)


def last(w: list[float], h: list[float], at: int) -> float:
    """A logit from the second hidden layer: of the chance to win (W3), or of the time that is left (W4)."""
    logit = w[at + SECOND]
    for j in range(SECOND):
        if h[FIRST + j] > 0.0:
            logit += h[FIRST + j] * w[at + j]
    return logit


def chance_of(logit: float) -> float:
    return 1.0 / (1.0 + exp(-logit))


def loss_of(chance: float, target: float) -> float:
    """Cross-entropy, in nats."""
    chance = min(max(chance, 1e-7), 1.0 - 1e-7)
    return -(target * log(chance) + (1.0 - target) * log(1.0 - chance))


def backward(
    w: list[float], x: list[float], h: list[float], error: float, late: float, d: list[float], grad: list[float]
) -> None:
    """Backpropagation: add the gradient of one position.  The errors, of the chance and of the time, are output less
    target; ``d`` is working space for the hidden layers."""
    back_to_first(w, h, error, late, d, grad)
    for j in range(FIRST):
        grad[B1 + j] += d[j]
    for i in range(FEATURES):
        v = x[i]
        if v != 0.0:
            row = W1 + i * FIRST
            for j in range(FIRST):
                grad[row + j] += v * d[j]


def back_to_first(w: list[float], h: list[float], error: float, late: float, d: list[float], grad: list[float]) -> None:
    grad[B3] += error
    grad[B4] += late
    for j in range(SECOND):
        d[FIRST + j] = 0.0
        if h[FIRST + j] > 0.0:
            grad[W3 + j] += error * h[FIRST + j]
            grad[W4 + j] += late * h[FIRST + j]
            d[FIRST + j] = error * w[W3 + j]
            grad[B2 + j] += d[FIRST + j]
    for i in range(FIRST):
        v = h[i]
        d[i] = 0.0
        if v > 0.0:
            row = W2 + i * SECOND
            for j in range(SECOND):
                grad[row + j] += v * d[FIRST + j]
            total = 0.0
            for j in range(SECOND):
                total += w[row + j] * d[FIRST + j]
            d[i] = total
