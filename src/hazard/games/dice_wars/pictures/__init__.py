"""Maps of Dice Wars in text and SVG, and where their territories lie."""
