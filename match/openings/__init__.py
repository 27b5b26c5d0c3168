"""Openings of a match: from files, from the suites that come with the engine, or drawn at random."""
