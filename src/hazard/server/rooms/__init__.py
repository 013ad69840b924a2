"""Rooms: games in play, who sits in them, their dice, their records and their connections."""
