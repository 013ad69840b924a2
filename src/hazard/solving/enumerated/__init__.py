"""The solver that needs only rules: it finds all positions by itself, and proves their values."""
