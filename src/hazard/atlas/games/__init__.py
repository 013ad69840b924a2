"""The rules of the games of the atlas. Each file is what a user's own game is: `docs/your-own-game.md` says what."""
