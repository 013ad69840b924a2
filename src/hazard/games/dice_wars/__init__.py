"""See rules.py for the rules."""
