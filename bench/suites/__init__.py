"""What suites of positions from games share, of mates or of best moves: making, files, measurement."""
