"""The rule book, rule by rule: every test names the rules that it proves."""
