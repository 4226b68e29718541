"""Statistics: estimates with confidence intervals, histograms and ratings, from exact sums."""
