"""What an agent's decisions give away, measured against a solution."""
