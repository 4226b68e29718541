"""The terminal: lines in and out, the prompt of a player, narration of events, record files."""
