"""The games of a study: their plan, their openings, how they are played, and their journals."""
