"""Who says that there is enough is asked after each trial; what is under way then is left to be resumed."""

from dataclasses import dataclass
from pathlib import Path

from tests.engine.tiny import Screen, TinySettings, replies
from trialkit.engine import Job, start
from trialkit.runfile import RunFile, TrialRecord
from trialkit.settings import RunSettings
from trialkit.suites import Content, Suite


@dataclass
class AfterTwo:
    """The last case first; enough after two trials."""

    ended_: int = 0

    def plan(self, content: Content) -> Content:
        trials = sorted(content.trials, key=lambda trial: trial.case_id, reverse=True)
        return Content(subject=content.subject, cases=content.cases, trials=trials)

    def opened(self, run: RunFile) -> str:
        self.ended_ = len([trial for trial in run.trials() if trial.ended])
        return self._told()

    def ended(self, job: Job, record: TrialRecord) -> str:
        self.ended_ += 1
        return self._told()

    def _told(self) -> str:
        return "two are enough" if self.ended_ >= 2 else ""


def after_two(suite: Suite, settings: RunSettings) -> AfterTwo:
    return AfterTwo()


async def test_a_run_ends_when_there_is_enough(tmp_path: Path) -> None:
    model = replies("yes")
    values = {"cases": 5, "output_dir": tmp_path, "max_concurrency": 1, "use_cache": False}
    settings = TinySettings.model_validate(values)
    done = await start(model.suite(), settings, lambda _: Screen(), open_until=after_two)
    assert (done.reason, done.enough, len(model.asked)) == ("two are enough", True, 2)
    with RunFile(done.path) as run:
        assert (run.info().state, run.info().reason) == ("done", "two are enough")
        assert [trial.case_id for trial in run.trials() if trial.ended] == ["e", "d"]
