"""Benchmarks, run from the project's folder: ``python -m benchmarks.run``, ``.bots``, ``.server`` and ``.page``."""
