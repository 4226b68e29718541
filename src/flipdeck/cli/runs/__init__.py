"""What the commands of the lab share: their options, progress bars, and a run from arguments to result."""
