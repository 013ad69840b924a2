"""Dice of Doom: rules, boards, notation, agents and the searches behind some of them."""
