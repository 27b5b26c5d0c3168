"""What a shipped game needs for benchmarks and matches, made in a minute: bench positions and openings."""
