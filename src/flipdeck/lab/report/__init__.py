"""Reports: pages that stand alone, their plots and their words, and results as JSON."""
