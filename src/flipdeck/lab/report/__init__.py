"""Reports: self-contained HTML pages with plots, plain text, and results as JSON."""
