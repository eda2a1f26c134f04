"""The settings of tau2's suites, as far as they are others than tau-bench's."""

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from trialkit.settings import Incidental
from trialkit.suites.tau.settings import TauSettings, absolute


class Tau2Settings(TauSettings):
    task_split: str = Field("base", description="Which tasks: base, train or test.")
    max_steps: int = Field(
        200, ge=1, description="Messages passed on, between whomever, before a conversation is cut off."
    )
    max_errors: int = Field(10, ge=1, description="Tool calls that fail before a conversation is cut off.")
    data_dir: Annotated[Path | None, AfterValidator(absolute), Incidental()] = Field(
        None, description="The benchmark's content [default: TAU2_DATA_DIR, an installed tau2, the cache]."
    )
