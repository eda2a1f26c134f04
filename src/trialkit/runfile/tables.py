"""Which record stands in which table: what is written, and what is read as it was written."""

from trialkit.vocabulary import Case, Verdict

from .columns import Columns
from .records import CallRecord, Event, Header, Label, Mark, ModelInUse, Prompt, Remark, TrialRecord
from .results import RecordedTrial, RunInfo, Spending

HEADER = Columns(Header, elsewhere=("prompts", "models"))
INFO = Columns(RunInfo, elsewhere=("wall_s", "sessions"))
PROMPTS = Columns(Prompt)
MODELS = Columns(ModelInUse)
CASES = Columns(Case)
ENDED = Columns(TrialRecord, elsewhere=("verdicts", "events"))
TRIALS = Columns(RecordedTrial, elsewhere=("decided", "verdicts", "labels", "marks", "remarks", "spending", "later"))
EVENTS = Columns(Event)
CALLS = Columns(CallRecord)
SPENDING = Columns(Spending)
VERDICTS = Columns(Verdict)
LABELS = Columns(Label)
MARKS = Columns(Mark)
REMARKS = Columns(Remark)
