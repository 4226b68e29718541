"""The game, pure: no input or output, no clock, no randomness but the seed it is given, no import from outside."""
