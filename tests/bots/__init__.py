"""Tests of the bots.  ``test_X`` tests the module ``X``; modules without a test of their own:

| module | tested in |
|---|---|
| belief/faces, belief/knowledge, belief/played_card | test_memory, test_one_writer |
| belief/inference | test_certain |
| belief/ambiguity, belief/deal_plan, belief/front_only, belief/pools, belief/sampler | test_belief, test_replayed |
| belief/group | test_belief, test_reshuffle |
| ladder, random_bot | test_levels, test_registry |
| match_runner, player | test_every_table, test_honest |
| program | test_external, test_program_life |
| sight | test_levels, test_reasons |

Helpers:

| module | what it is for |
|---|---|
| brute_force | tiny decks whose every world is counted, to judge the sampler by |
| checked_worlds | determinizations, checked against a memory and against the true cards |
| films | a match on film, and played again with everything redrawn that a seat can't know |
| printed_hands | tables laid with cards as they are printed |
| programs | programs that are bots: written into a folder, started, and gone when the test is |
| replayed | every hidden arrangement of a tiny deck that looks the same to a seat |
| seats | who sits at the tables of these tests |
| watching | seats that watch a match, and what holds for the memory of each |
"""
