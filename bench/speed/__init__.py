"""Speed: nodes, perft, time to depth, threads, start-up."""
