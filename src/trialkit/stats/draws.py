"""Resampling, made repeatable: the same data must give the same interval every time."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

RESAMPLES = 10_000
_SEED = 20240617  # any number


def generator() -> "np.random.Generator":
    import numpy as np  # noqa: PLC0415 - 0.1 s to import, and `--help` needs none of it

    return np.random.default_rng(_SEED)


def resampled_sums(
    rows: Sequence[Sequence[float]], times: Sequence[int], resamples: int = RESAMPLES
) -> "np.ndarray[Any, Any]":
    """The column sums of resamples, with replacement, of rows of which each stands there so many times.

    To draw n rows is to draw how often each distinct row comes up, and of 10,000 cases few are distinct. Columns share
    the draws, so several figures of the same cases take hardly longer than one.
    """
    import numpy as np  # noqa: PLC0415 - likewise

    distinct, counts = np.array(rows, dtype=float), np.array(times)
    n = int(counts.sum())
    sums = np.zeros((resamples, distinct.shape[1]))
    random = generator()
    # in blocks: 10,000 resamples of 10,000 distinct rows at once would take 800 MB
    block = max(1, min(resamples, 2_000_000 // len(distinct)))
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        sums[start : start + size] = random.multinomial(n, counts / n, size=size) @ distinct
    return sums


def middle(values: "np.ndarray[Any, Any]") -> tuple[float, float]:
    """Where the middle 95% lie."""
    import numpy as np  # noqa: PLC0415 - likewise

    low, high = np.quantile(values, (0.025, 0.975))
    return float(low), float(high)
