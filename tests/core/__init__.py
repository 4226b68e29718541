"""Tests of the rules.  ``test_X`` tests the module ``X``; modules without a test of their own:

| module | tested in |
|---|---|
| rules/* | the folder ``rules``, rule by rule: test_every_rule_is_proved finds one without a test |
| cards, codes, pairing | test_notation, rules: test_deck |
| errors, refusing | test_facade, rules |
| events, history, match | test_facade |
| moment, reading | test_view, test_writing, long: test_resample |
| scoring | rules: test_ending |
| seeds | test_chance |
| state | long: test_any_match |

The folder ``long`` plays matches by the thousand.

Helpers:

| module | what it is for |
|---|---|
| fair_matches | whole matches that the check in the browser must find fair |
| rules/situations | situations that more than one file of rules begins with |
"""
