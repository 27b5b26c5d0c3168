"""Matches between engines: openings, schedule, games, results, statistics, plots."""
