"""One turn of Pickomino, gone through exactly."""
