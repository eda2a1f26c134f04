"""Others' statistics, to hold ours against: loaded by the first test that asks, since together they take seconds."""

import importlib
from typing import Any


class _Late:
    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self._module), name)


krippendorff = _Late("krippendorff")
pandas = _Late("pandas")
anova = _Late("statsmodels.stats.anova")
contingency = _Late("statsmodels.stats.contingency_tables")
formula = _Late("statsmodels.formula.api")
inter_rater = _Late("statsmodels.stats.inter_rater")
multitest = _Late("statsmodels.stats.multitest")
power = _Late("statsmodels.stats.power")
proportion = _Late("statsmodels.stats.proportion")
metrics = _Late("sklearn.metrics")
optimize = _Late("scipy.optimize")
scipy_stats = _Late("scipy.stats")
