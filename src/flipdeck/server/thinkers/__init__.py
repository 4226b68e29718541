"""Bots outside the event loop: the port, a pool of worker processes, and an in-process version for simulations."""
