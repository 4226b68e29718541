"""What the commands ``simulate``, ``compare`` and ``arena`` share: their options, progress bar and printing."""
