"""Boards of Dice of Doom in text and SVG, and where their tiles lie."""
