"""Plain HTTP: routes, errors, rate limits, static files and replays."""
