"""Evaluation: the score of a position for the side to move."""
