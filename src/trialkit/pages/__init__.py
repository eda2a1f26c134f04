"""The document model of every report, and its writers."""
