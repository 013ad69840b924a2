"""`python -m hazard` is the command `hazard`."""

from hazard.cli import main

if __name__ == "__main__":
    main()
