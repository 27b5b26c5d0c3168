"""The interfaces of the engine for programs and people: CECP, UCI, the command line."""
