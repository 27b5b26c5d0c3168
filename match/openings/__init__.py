"""Openings of a match: from files, from the suites that come with the engine, or generated at random."""
