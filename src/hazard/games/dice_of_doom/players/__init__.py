"""Strategies of Dice of Doom; agents.py gives them their names."""
