"""Playing in the terminal: a game of one's own, or a seat in a room of a server."""
