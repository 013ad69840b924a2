"""The games, one folder each: rules.py (the rules), notation.py (text and parameters), agents.py (players)."""
