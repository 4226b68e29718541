"""Runs: what is played, cut into shards, on threads, processes or a cluster, with checkpoints."""
