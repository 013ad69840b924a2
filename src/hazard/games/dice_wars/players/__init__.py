"""Strategies of Dice Wars; agents.py gives them their names."""
