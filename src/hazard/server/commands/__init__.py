"""Commands of `hazard` that the server runs in child processes: tournaments, replays, studies."""
