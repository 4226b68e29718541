"""What is compiled for the environments, with the rules: plain functions over ``g`` (a game) and ``e`` (its episode).

As in ``core.rules``, everything is a whole number or a row of fixed length, so that Python and Numba run the same code.
"""
