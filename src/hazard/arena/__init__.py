"""Games between agents, with honest statistics."""
