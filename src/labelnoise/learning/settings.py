"""Every constant of training a linear layer, under the benchmark that set it."""

from __future__ import annotations

# Training: `make bench-early` (docs/decisions/015-baselines.md).

WEIGHT_DECAY = 1e-5
"""Weight of half the squared weights, beside the mean loss of a row. It keeps the weights finite
where classes are separable. With as much as the volume has in T-Vol (1e-4) it would decide T in its
place: with only two distinct rows the error of T-Vol is then 20 points instead of 4."""

MAX_STEPS = 2000
"""Steps of L-BFGS, by default."""

MIN_RELATIVE_GAIN, MAX_GRADIENT = 1e-10, 1e-8
"""The search ends when a step lowers the loss by a smaller share than the first, or when no entry
of the gradient is larger than the second: with SciPy's usual 1e-5 T-Vol stops too early."""

# Numerical limits; none of them changes a result.

MIN_PROBABILITY = 1e-12
"""Smaller positive entries of T are raised to this, and ratios of probabilities are limited to its
inverse."""

MIN_INITIAL_PROBABILITY = 1e-6
"""Smaller entries of a T that training starts from are raised to this: a softmax has no zeros."""

MIN_SINGULAR_VALUE = 1e-6
"""Smaller singular values of T are raised to this in its volume."""

ABSOLUTE_VALUE_SMOOTHING = 1e-6
"""|x| is computed as ``sqrt(x^2 + s^2) - s`` with this s, so that it has a gradient at 0."""
