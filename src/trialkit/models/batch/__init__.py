"""Requests that are sent together to a provider's batch API: half the price, answered within a day."""

from .batches import Batches, check_batch_api
from .notes import pending_batches

__all__ = ["Batches", "check_batch_api", "pending_batches"]
