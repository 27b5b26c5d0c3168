"""How programs and people speak to the engine: CECP, UCI, the command line."""
