"""Games played: many at compiled speed, or one step by step."""
