"""Training of the net by self-play: the trainer, its checkpoint folder, and a run from start to end."""
