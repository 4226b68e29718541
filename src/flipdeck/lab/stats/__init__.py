"""Statistics: estimates with confidence intervals, histograms, ratings and standings, from exact sums."""
