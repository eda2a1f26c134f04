"""Figures with intervals: pure functions, no I/O."""

from .agreement import (
    Confusion,
    LabelledTrial,
    agreement,
    cohens_kappa,
    confusion,
    krippendorff_alpha,
    self_agreement,
    true_fail_rate,
    true_pass_rate,
)
from .compare import (
    SIGNIFICANT,
    Difference,
    change_of,
    deviation_of,
    holm,
    mcnemar_exact,
    paired_amounts,
    paired_difference,
    paired_pass_hat_all,
    tango,
)
from .corrected import JudgedCase, LabelsNeeded, corrected_rate, labels_needed
from .distributions import LIKELY_SEEN
from .figure import Figure, exact, unknown
from .mean import mean, mean_by_case
from .pass_hat import pass_hat_all, pass_hat_k, pass_hat_mean
from .power import POWER, Design, cases_needed, detectable, pairs_needed, power, trials_needed
from .rate import pass_rate, wilson
from .score import mean_score, score_difference

__all__ = [
    "LIKELY_SEEN",
    "POWER",
    "SIGNIFICANT",
    "Confusion",
    "Design",
    "Difference",
    "Figure",
    "JudgedCase",
    "LabelledTrial",
    "LabelsNeeded",
    "agreement",
    "cases_needed",
    "change_of",
    "cohens_kappa",
    "confusion",
    "corrected_rate",
    "detectable",
    "deviation_of",
    "exact",
    "holm",
    "krippendorff_alpha",
    "labels_needed",
    "mcnemar_exact",
    "mean",
    "mean_by_case",
    "mean_score",
    "paired_amounts",
    "paired_difference",
    "paired_pass_hat_all",
    "pairs_needed",
    "pass_hat_all",
    "pass_hat_k",
    "pass_hat_mean",
    "pass_rate",
    "power",
    "score_difference",
    "self_agreement",
    "tango",
    "trials_needed",
    "true_fail_rate",
    "true_pass_rate",
    "unknown",
    "wilson",
]
