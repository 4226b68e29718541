"""A table as an actor with event sourcing: a request is decided, its entry committed, then applied and shown."""
