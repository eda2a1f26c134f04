"""What may be said to an importer."""

from pydantic import BaseModel, ConfigDict


class ImportSettings(BaseModel):
    """Each field is a flag of `trialkit import`."""

    model_config = ConfigDict(frozen=True, extra="forbid")
