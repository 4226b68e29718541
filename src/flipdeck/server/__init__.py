"""The online table: one process, thousands of tables, each with one owner.

The way of a move: a client says it on the socket of its seat (``sockets``, ``session``); the table's owner checks it
against the present state (``deciding``); the journal makes it durable (``journal``); then it is carried out
(``state``), acknowledged, and shown to every seat and spectator as each may see it (``showing``), in this order.
"""
