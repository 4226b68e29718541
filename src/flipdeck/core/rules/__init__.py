"""The rules of a round: plain functions over a record of whole numbers.

They are written in the part of Python that Numba compiles without a change, so that bulk play runs these very
functions: whole numbers, rows of fixed length, tuples of constants; no dicts, no objects, no exceptions, no
generators.  Where to look:

``deal``       pairing, dealer, deal, opening card
``legal``      what a seat may say now
``turn``       carrying out a move: play, draw, keep, call
``effects``    what each card does
``challenge``  the restriction on Wild Draws and the answer to them
``uno``        saying it, saying it late, catching
``piles``      drawing, reshuffling, turning over
``hands``      who holds what
``order``      whose turn it is
``chance``     random numbers; ``moves`` and ``log``: moves and events as numbers
"""
