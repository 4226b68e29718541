"""Tests of the commands.  ``test_X`` tests the module ``X``; modules without a test of their own:

| module | tested in |
|---|---|
| runs/runner, runs/run_options | test_simulate, test_compare, test_arena |
| terminal/choices, terminal/narration, terminal/console | test_person |
| terminal/record_files, terminal/language | test_play, test_replay, test_verify |
| local_server | test_serve, test_play_browser |
| browser_window | test_play_browser |
| journal | tests/server/test_copying |

``test_main`` is about the command line as a whole, ``test_arguments`` about the arguments of every command,
``test_examples`` about the examples in ``--help``.

Helpers:

| module | what it is for |
|---|---|
| held_process_worker | a program: a command whose workers play the first shard and no other |
| lab_commands | runs the commands of the lab, here or on a terminal of their own |
| processes | starts servers |
| terminal | runs a command with typed lines |
"""
