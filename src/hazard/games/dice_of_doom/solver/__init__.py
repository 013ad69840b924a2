"""Boards of Dice of Doom for two, solved block by block."""
