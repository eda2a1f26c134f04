"""The benchmarks' own result files."""

from trialkit.runfile import RunFile
from trialkit.suites import Format


def format_of(family: str) -> Format:
    return Format(suffix=".json", write=_WRITE[family])


def _tau_bench(run: RunFile) -> str:
    from .tau_bench import tau_bench_report  # noqa: PLC0415 - only where it is asked for

    return tau_bench_report(run)


def _tau2(run: RunFile) -> str:
    from .tau2 import tau2_report  # noqa: PLC0415 - likewise

    return tau2_report(run)


_WRITE = {"tau-bench": _tau_bench, "tau2": _tau2}
