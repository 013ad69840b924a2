"""Worker processes: agents decide and positions are analysed there, not in the server's loop."""
