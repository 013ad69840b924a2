"""Famous dice games, each one file with rules and nothing else (`games`), and what solving these has proven."""
