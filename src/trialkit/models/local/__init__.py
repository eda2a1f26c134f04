"""`local:FILE.gguf`: a model on this machine, which llama.cpp's server answers for."""

LOCAL = "local:"

__all__ = ["LOCAL"]
