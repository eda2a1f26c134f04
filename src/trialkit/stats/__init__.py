"""Figures with intervals: pure functions, no I/O."""

from typing import TYPE_CHECKING

from trialkit.doors import door

if TYPE_CHECKING:
    from .agreement import krippendorff_alpha, self_agreement
    from .chances import chance, chance_difference
    from .classes import ClassFigures, Classified, class_figures
    from .compare import (
        SIGNIFICANT,
        Difference,
        change_of,
        deviation_of,
        holm,
        holm_of_known,
        paired_amounts,
        paired_pass_hat_all,
    )
    from .distributions import LIKELY_SEEN
    from .errors import ErrorRates, Worths, error_bounds, error_rates, known
    from .figure import Figure, exact, known_sum, unknown
    from .frontier import amount_per_pass, dominance, dominates
    from .groups import differ_by_group
    from .judged import Confusion, JudgedTrial, JudgeFigures, judge_figures
    from .label_needs import LabelsNeeded, labels_needed
    from .mean import mean_by_case
    from .pass_hat import pass_hat_all, pass_hat_mean
    from .power import ALIKE, POWER, SHARED, Design, cases_needed, detectable, floor, pairs_to_exclude, trials_needed
    from .ranks import rank_intervals
    from .rate import pass_rate
    from .score import mean_score, score_difference
    from .score_labels import ScoreFigures, score_figures
    from .sequential import Sequential, SequentialOutcome, sequential_test
    from .variance import Tried, UserVariance, Variance, user_variance, variance_of

__all__ = [
    "ALIKE",
    "LIKELY_SEEN",
    "POWER",
    "SHARED",
    "SIGNIFICANT",
    "ClassFigures",
    "Classified",
    "Confusion",
    "Design",
    "Difference",
    "ErrorRates",
    "Figure",
    "JudgeFigures",
    "JudgedTrial",
    "LabelsNeeded",
    "ScoreFigures",
    "Sequential",
    "SequentialOutcome",
    "Tried",
    "UserVariance",
    "Variance",
    "Worths",
    "amount_per_pass",
    "cases_needed",
    "chance",
    "chance_difference",
    "change_of",
    "class_figures",
    "detectable",
    "deviation_of",
    "differ_by_group",
    "dominance",
    "dominates",
    "error_bounds",
    "error_rates",
    "exact",
    "floor",
    "holm",
    "holm_of_known",
    "judge_figures",
    "known",
    "known_sum",
    "krippendorff_alpha",
    "labels_needed",
    "mean_by_case",
    "mean_score",
    "paired_amounts",
    "paired_pass_hat_all",
    "pairs_to_exclude",
    "pass_hat_all",
    "pass_hat_mean",
    "pass_rate",
    "rank_intervals",
    "score_difference",
    "score_figures",
    "self_agreement",
    "sequential_test",
    "trials_needed",
    "unknown",
    "user_variance",
    "variance_of",
]

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        {
            "agreement": "krippendorff_alpha self_agreement",
            "chances": "chance chance_difference",
            "classes": "ClassFigures Classified class_figures",
            "compare": "SIGNIFICANT Difference change_of deviation_of holm holm_of_known paired_amounts "
            "paired_pass_hat_all",
            "distributions": "LIKELY_SEEN",
            "errors": "ErrorRates Worths error_bounds error_rates known",
            "figure": "Figure exact known_sum unknown",
            "frontier": "amount_per_pass dominance dominates",
            "groups": "differ_by_group",
            "judged": "Confusion JudgedTrial JudgeFigures judge_figures",
            "label_needs": "LabelsNeeded labels_needed",
            "mean": "mean_by_case",
            "pass_hat": "pass_hat_all pass_hat_mean",
            "power": "ALIKE POWER SHARED Design cases_needed detectable floor pairs_to_exclude trials_needed",
            "ranks": "rank_intervals",
            "rate": "pass_rate",
            "score": "mean_score score_difference",
            "score_labels": "ScoreFigures score_figures",
            "sequential": "Sequential SequentialOutcome sequential_test",
            "variance": "Tried UserVariance Variance user_variance variance_of",
        },
    )
