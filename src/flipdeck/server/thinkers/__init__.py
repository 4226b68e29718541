"""Bots that think outside the event loop: the port, a pool of worker processes, one in-process for simulations."""
