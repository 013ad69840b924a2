"""Small games of Pickomino for two, solved between turns."""
