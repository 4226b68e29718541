"""Reports of an arena: standings and ratings, as text, as HTML and as JSON."""
