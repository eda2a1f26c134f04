"""The benchmarks' own result files."""
