"""The other end of a connection: programs and agents that take a seat in a room elsewhere."""
