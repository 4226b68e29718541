"""Tests of the lab.  ``test_X`` tests the module ``X``; modules without a test of their own:

| module | tested in |
|---|---|
| match_experiments, arena_experiment, run/warm_up | test_experiment; tests/cli: test_simulate, test_arena |
| run/process_worker | test_processes, test_child_process |
| run/cluster, run/cluster_driver, run/cluster_worker | tests/cluster |
| report/pair_page, report/figures, report/plots, report/wording, report/run_result | test_report_page |
| report/arena_wording, report/arena_result | test_arena_page |
| report/result_json, report/text_report | test_experiment; tests/cli: test_simulate, test_compare |
| report/arena_text | tests/cli: test_arena |
| train/training_folder, train/training_run | test_trainer |

Helpers: ``facade_replay`` plays matches of a run again through ``Match``; ``pages`` parses a report; ``process_tree``
lists child processes.
"""
