"""A table: one task owns it (``actor``), its entries are its state, and a request is decided, committed, applied."""
