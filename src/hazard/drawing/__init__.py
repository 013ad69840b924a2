"""Pictures in text, SVG and matplotlib that several games share."""
