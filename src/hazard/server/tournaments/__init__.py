"""Tournaments in the lab: started from a page, watched, and asked about."""
