"""Matches between engines: players, openings, games, tournaments, results."""
