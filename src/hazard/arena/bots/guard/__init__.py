"""What stands beside a bot while it runs. It is a program of its own, and imports nothing of Hazard."""
