"""What a seat can know and believe: memory, inference, and sampling of the hidden cards (determinization)."""
