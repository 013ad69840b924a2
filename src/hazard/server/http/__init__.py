"""What is asked over HTTP: the lab's pages, games, rooms, positions, explore, papers."""
