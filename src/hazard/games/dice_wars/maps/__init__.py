"""Maps of Dice Wars, grown from a number or read from a file."""
