"""One module a paper: its tables and figures, what was published beside what comes out here."""
