"""Tests of the lab.  ``test_X`` tests the module ``X``; modules without a test of their own:

| module | tested in |
|---|---|
| arena_experiment, run/warm_up | test_experiments; tests/cli: test_simulate, test_arena |
| run/process_worker | test_processes; tests: test_child_process |
| run/cluster, run/cluster_driver, run/cluster_worker | tests/cluster |
| report/pair_page, report/figures, report/plots, report/wording, report/run_result | test_report_page |
| report/arena/page, report/arena/wording, report/arena/result | test_arena_page |
| report/result_json, report/match_report | test_experiments; tests/cli: test_simulate, test_compare |
| report/arena/report | tests/cli: test_arena |
| train/training_folder, train/training_run | test_trainer |

Helpers:

| module | what it is for |
|---|---|
| facade_replay | plays matches of a run again through ``Match`` |
| pages | parses a report |
| process_tree | lists child processes |
"""
