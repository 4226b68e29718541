"""Tests of the messages.  ``test_X`` tests the module ``X``; modules without a test of their own:

| module | tested in |
|---|---|
| client_messages, parts, rest, server_messages, shapes | test_messages, test_what_the_server_writes |
| connection | test_facts, test_page_holds_no_copies |
| declared, schema | test_one_declaration, test_written_down |
| errors, reference | test_written_down |
| openapi, operations | tests/server/test_openapi |

The page: test_nothing_is_forgotten_in_the_page, test_page_holds_no_copies, test_scores_of_the_page.

Helpers:

| module | what it is for |
|---|---|
| transcript | a whole match on a real server, as docs/wire.md tells it; also a program |
| inventing | values of any type on the wire, within its limits |
"""
