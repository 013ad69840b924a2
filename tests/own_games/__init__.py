"""Games that users bring as one file."""
