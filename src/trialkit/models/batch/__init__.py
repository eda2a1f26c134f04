"""Requests that are sent together to a provider's batch API: half the price, answered within a day."""

from .batches import Batches
from .notes import pending_batches

__all__ = ["Batches", "pending_batches"]
