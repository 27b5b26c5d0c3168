"""Positions with a best move that searches have agreed on: how they are found, kept and measured."""
