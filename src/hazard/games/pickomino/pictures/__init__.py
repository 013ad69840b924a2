"""The table of Pickomino in text."""
