"""Tests that need Ray: ``make test-cluster``, in an environment of their own (``.venv-cluster``).

``ray_cluster`` is a Ray cluster of two machines on the loopback address.
"""
