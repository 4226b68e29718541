"""The wire protocol between clients and the server: JSON text, one message a frame, every message a tagged Struct.

``client_messages`` and ``server_messages`` are the two directions, ``parts`` what both are made of, ``rest`` the bodies
of HTTP requests and answers, ``errors`` every code of a refusal.  ``declared`` takes over what ``core`` declares.
``schema``, ``typescript`` and ``reference`` generate the protocol for other languages and for people.

Compatibility: a message may get new fields that have a default, and the server may send new messages; clients skip
fields and messages they don't know.  Anything else is a new ``PROTOCOL``.  The server refuses fields and messages it
doesn't know, so that a misspelt field is never taken for one left out.
"""

PROTOCOL = 1
