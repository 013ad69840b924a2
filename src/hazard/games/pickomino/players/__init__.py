"""Strategies of Pickomino; agents.py gives them their names."""
