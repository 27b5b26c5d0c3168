"""How fast the engine is: nodes, perft, time to depth, threads, start-up."""
