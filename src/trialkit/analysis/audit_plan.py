"""What putting a judge on trial will take, before anything is asked."""

from trialkit.engine import Audit
from trialkit.pages import Money
from trialkit.stats import known_sum
from trialkit.text.shown import counted

from .past import usual_of
from .plan import forecast


def what_it_takes(audit: Audit) -> str:
    """Of answers, verdicts, calls and dollars; by what judging took in the run, or by the suite's own figures."""
    known = f"; {audit.known} were asked about before" if audit.known else ""
    asked = audit.verdicts - audit.recorded
    said = (
        f"{counted(len(audit.waiting), 'answer')} to ask {audit.panel.author} about, {counted(asked, 'verdict')}{known}"
    )
    if not asked or not audit.panel.roles:
        return f"{said}; no model is asked"
    usual = {**audit.panel.setup.suite.usual(audit.panel.setup.settings), **usual_of([audit.panel.answered])}
    roles = {name: role for name, role in audit.panel.roles.items() if name in usual}
    found = [forecast(usual[name], asked * _each(audit), role.spec) for name, role in roles.items()]
    if not found:
        return f"{said}; nobody knows what a verdict takes"
    calls, cost = round(sum(one.calls for one in found)), known_sum(one.cost_usd for one in found)
    return f"{said}: about {counted(calls, 'call')}, " + ("cost unknown" if cost is None else f"about {Money(cost)}")


def _each(audit: Audit) -> int:
    """Requests for a verdict, as many as it has findings at most: of a judge that was never asked check by check."""
    settings = audit.panel.setup.settings.to_data()
    if settings.get("judge_asks") != "each" or audit.recorded:
        return 1
    return max((len(verdict.findings) for row in audit.waiting for verdict in row.verdicts), default=1) or 1
