"""The loop of `surajang learn`: self-play, training and matches, generation after generation."""
