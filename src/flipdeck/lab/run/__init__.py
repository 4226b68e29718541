"""Runs: sharded play on threads, processes or a cluster, with checkpoints and output files."""
