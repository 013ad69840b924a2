"""Learning by self-play: networks, rounds of lessons, strength over time, and files of weights, for any game."""
