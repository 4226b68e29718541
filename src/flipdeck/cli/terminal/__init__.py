"""What the commands share of the terminal: lines in and out, a person at the keyboard, narration, record files."""
