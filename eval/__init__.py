"""What a position is worth to the side to move."""
