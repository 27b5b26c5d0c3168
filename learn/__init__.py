"""Learning a game: self-play, training of networks, tuning of numbers, generations."""
