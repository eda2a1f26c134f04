"""The FastWorkflow agent as a program for trialkit. It runs in its environment and imports nothing of ours."""
