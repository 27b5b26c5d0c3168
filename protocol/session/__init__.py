"""A game in progress: position, clocks, the current search. This folder is independent of the protocols."""
