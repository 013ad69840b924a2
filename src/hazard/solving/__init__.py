"""Exact solving: values with certified bounds, exact fractions, average reward, fixed policies and best responses."""
