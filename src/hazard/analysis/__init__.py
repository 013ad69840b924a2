"""What positions and moves are worth and how that is known, for the server and the terminal alike."""
