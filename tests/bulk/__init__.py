"""Tests of the compiled rules.  ``test_X`` tests the module ``X``; modules without a test of their own:

| module | tested in |
|---|---|
| arrays, kernels, playing, rows | test_batches |
| card_counts, features, learning, self_play | tests/bots: test_net; tests/lab: test_trainer |
| determinize | tests/bots: test_belief, test_replayed |
| evaluation, searching | test_ismcts |
| fingerprint, twin | test_twins |
| policies | test_heuristic, test_twins |
| vector | test_acting |

Helpers:

| module | what it is for |
|---|---|
| dealing | a program: the least of the rules that can be compiled, by both twins |
"""
