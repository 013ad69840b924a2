"""What games say: intervals, ratings, sequential tests."""
