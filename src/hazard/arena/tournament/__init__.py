"""Tournaments: what is played, in which order, by whom, and what came of it."""
