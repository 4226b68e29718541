"""Thousands of matches: run apart from coverage, which slows down what it watches."""
