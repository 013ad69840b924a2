"""Games that users bring as one file: rules, and whatever else the file has; all that is missing has a default."""
