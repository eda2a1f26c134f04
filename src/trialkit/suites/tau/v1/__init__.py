"""tau-bench: its content, tools and reward."""
