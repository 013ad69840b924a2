"""The solver of games that number their positions."""
