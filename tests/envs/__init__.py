"""Tests of the learning environments.  ``test_X`` tests the module ``X``; modules without a test of their own:

| module | tested in |
|---|---|
| columns, compiled/* | test_batch |
| documents | test_documents_of_observations |
| opponents, records, spaces | test_gymnasium_env |
| witness | test_testing |

Helpers:

| module | what it is for |
|---|---|
| seen | what an observation should hold, from a view alone; a match beside a batch |
"""
