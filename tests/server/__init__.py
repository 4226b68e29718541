"""Tests of the server, and what they share.

Where a module of ``src/flipdeck/server`` is tested:

| module | tests |
|---|---|
| admin.client | test_admin_door |
| admin.commands | test_admin_tables, test_admin_addresses |
| admin.door | test_admin_door |
| admin.listener | test_admin_door |
| admin.messages | test_admin_tables, test_admin_door |
| app | test_app, test_uvicorn |
| bounded | test_bounded |
| config | test_config |
| confusables | test_confusables |
| default_move | test_default_move |
| durations | test_node_metrics |
| http.errors | test_routes |
| http.health | test_health, test_failures |
| http.previews | test_previews |
| http.replay_index | test_replays, test_replays_paged |
| http.replays | test_replays, test_replays_paged |
| http.routes | test_routes, test_openapi |
| http.static | test_static |
| http.throttle | test_routes, test_limits_reconnect, test_neighbours |
| identity | test_identity, test_seats, test_transfers |
| journal | test_journal, test_journal_keeping, test_journal_short, test_journal_damage |
| journal.bans | test_journal_bans |
| journal.postgres | test_journal, test_postgres |
| journal.postgres.appending | test_journal_keeping, test_postgres |
| journal.postgres.copying | test_copying |
| journal.postgres.link | test_postgres, test_bad_databases |
| journal.postgres.rights | test_bad_databases |
| journal.postgres.schema | test_postgres |
| journal.postgres.statements | test_journal, test_journal_keeping, test_journal_short |
| journal.age_clock | test_age_clock |
| journal.copying | test_copying |
| journal.checksums | test_journal_damage |
| journal.database_file | test_sqlite, test_schema |
| journal.file_guard | test_file_guard |
| journal.lease_rows | test_journal |
| journal.high_water | test_file_guard, test_storage_faults |
| journal.memory | test_memory |
| journal.paging | test_paging |
| journal.repair_rows | test_damaged_tables |
| journal.replay_rows | test_journal_damage |
| journal.schema | test_schema |
| journal.shortening | test_journal_short |
| journal.sqlite | test_sqlite |
| journal.taking_up | test_paging, test_journal_damage |
| journal.write_ahead_log | test_file_guard |
| journal.writer | test_writer |
| kept_out | test_admin_addresses |
| lease | test_lease |
| limits | test_limits, test_limits_reconnect, test_websocket_limits |
| lobby | test_lobby, test_lobby_retries |
| logs | test_logs, test_rubbish |
| metrics | test_app, test_node_metrics |
| names | test_names |
| origins | test_origins |
| paths | test_paths |
| public_list | test_lobby, test_several_servers |
| public_seats | test_public_seats, test_several_servers |
| registry | test_registry, test_handover, test_drain |
| repair | test_damaged_tables |
| shared | test_shared |
| shared.here | test_transfers, test_several_servers |
| shared.postgres | test_shared, test_several_servers |
| shared.statements | test_shared |
| sharing | test_several_servers |
| slices | test_slices |
| takeover | test_handover, test_node_metrics |
| table.actor | test_actor, test_actor_faults |
| table.bot_driver | test_bot_driver, test_bot_driver_pauses |
| table.clock | test_clock, test_clock_drawn |
| table.consequences | test_votes, test_host_comes, test_clock |
| table.connections | test_connections, test_connections_catch_up, test_session |
| table.context | test_app |
| table.decide | test_decide_host, test_decide_join, test_exhaustive |
| table.entries | test_state, test_exhaustive |
| table.entry | test_exhaustive |
| table.frames | test_leaks, test_leaks_session, test_leaks_drawn, test_leaks_match |
| table.greetings | test_greetings |
| table.host_decisions | test_decide_host, test_removals, test_host_comes |
| table.inbox | test_actor |
| table.known_kinds | test_two_versions |
| table.match_length | test_match_length |
| table.observing | test_carried_over |
| table.opener | test_pledges, test_carried_over |
| table.pauses | test_bot_driver_pauses, test_pace |
| table.pledges | test_pledges, test_pledges_kept |
| table.readable_kinds | test_two_versions |
| table.requests | test_exhaustive |
| table.seat_decisions | test_decide_join, test_takeovers, test_transfers |
| table.seat_entries | test_state, test_exhaustive |
| table.seats | test_seats, test_seats_commands |
| table.shortener | test_snapshot |
| table.snapshot | test_snapshot |
| table.state | test_state, test_rounds |
| table.substitutes | test_substitutes |
| table.timers | test_timers, test_clock, test_clock_drawn, test_handover |
| table.vote_decisions | test_votes |
| table.waking | test_snapshot, test_waking |
| thinkers.inline | test_inline_memories |
| thinkers.memories | test_inline_memories |
| thinkers.pool | test_pool, test_pool_failures, test_pool_search |
| thinkers.port | test_pool, test_inline_memories |
| thinkers.queue | test_queue |
| thinkers.search_status | test_pool_search |
| thinkers.substitutions | test_pool_search |
| thinkers.worker | test_worker |
| transport.protocols | test_freeing, test_protocols, test_protocols_frames, test_uvicorn |
| transport.session | test_session, test_fuzz, test_hostile |
| transport.websocket | test_websocket_limits, test_websocket_half_open, test_neighbours |
| waiting_lines | test_neighbours |

The whole server: test_evenings (random evenings on a simulated network), test_killed (killed at every step of a
request), test_storage_faults (torn logs, flipped bits, failing commits), test_damaged_tables (what players and
operators see of them), test_failures (disk, clock, worker processes), test_node_faults and test_clusters (hundreds of
faults of several servers on one database, in one process and in many, and a history checker), test_planted_faults
(what that checker finds), test_version_1 (a database from before the
present rules), test_examples (the clients in ``examples``), test_index (this page).

Helpers:

| module | what it is for |
|---|---|
| administering | an operator in the same loop as the server |
| audits | what a database has seen: who claimed which table, who wrote which entry |
| asking | a match whose bots are asked through the port |
| by_hand | raw websockets: clients that break the protocol, or don't read |
| channels | every byte that a table sends to one viewer: socket, HTTP, log |
| clusters | a program: several real servers on one PostgreSQL, and clients that reach any of them |
| confusable_table | a program: writes the table of characters that look alike |
| conftest | seeds deals and bot pauses with the name of the test |
| damaging | bits flipped in what a journal has stored |
| databases | a real PostgreSQL, and a database of its own for each test |
| dying | a program: writes to a SQLite journal until it is killed |
| evenings | random evenings on a simulated network, from a seed; also a program |
| fuzzing | malformed and mutated frames, from a seed |
| hearing | one frame to a session, and what comes of it |
| histories | a history checker: what clients were told beside what the database has seen |
| houses | worker pools, ordinary and with odd bots |
| steered | an event loop with real sockets, whose clock tests stop, advance or speed up |
| journals | every journal backend, for the contract tests |
| killing | a program: real servers that are killed at a chosen step |
| local_nodes | several servers in this process on a real PostgreSQL, over virtual time |
| node_faults | what befalls such servers |
| odd_bots | a program: a worker whose bots fail, each in its own way |
| outbox | a client socket in memory |
| playing | plays a table on until a condition holds; deals for a test |
| pledging | seats that pledge values and open them, as a page does |
| redrawing | random tables, and twins that look the same to one viewer |
| running | a real server on a free port, and clients over sockets |
| seats | a client in this process that records everything it is sent |
| shared_states | what servers share in a real database, and two servers on one |
| short_journals | servers that shorten their journals all the time; entries as they were before that |
| simulated | clients on a lossy, reordering network over virtual time |
| sitting | a lobby over virtual time, without sockets (``Hall``), and its journal (``Ledger``) |
| sqlite_files | a SQLite journal on disk |
| virtual | an event loop with virtual time |
| wires | TCP connections that a test can cut, slow down or hold |
| witnesses | clients that check what a killed server had acknowledged |
"""
