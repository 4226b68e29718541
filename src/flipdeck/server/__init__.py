"""The online table: one process, thousands of tables, each an actor that owns its state.

A table is event-sourced.  A move arrives on the websocket of its seat (``transport``); the table decides it against the
present state (``table.decide``), the journal makes it durable (``journal``), and only then is it applied
(``table.state``), acknowledged, and shown to every seat and spectator as each may see it (``table.frames``).
"""
