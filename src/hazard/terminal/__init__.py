"""Playing in the terminal: a game on this machine, or a seat in a room of a server."""
