"""What clients and the server say to each other: JSON text, one message a frame, every message a tagged Struct.

``asked`` has what a client says, ``told`` what the server says, ``parts`` what both are made of, ``rest`` the bodies
of the few HTTP requests, ``errors`` every code a refusal can have.  ``schema`` writes them down for other languages.

How it grows: a message may get new fields that have a default, and there may be new messages told by the server;
clients skip fields and messages they don't know.  Anything else is a new ``PROTOCOL``.  The server refuses fields and
messages it doesn't know, so that a misspelt one is never taken for one left out.
"""

PROTOCOL = 1
