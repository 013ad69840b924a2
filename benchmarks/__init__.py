"""How fast Hazard is, as ratios to other programs on the same machine; run by `python -m benchmarks`."""
