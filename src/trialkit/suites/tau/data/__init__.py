"""The content that the tau suites need and trialkit does not bring."""
