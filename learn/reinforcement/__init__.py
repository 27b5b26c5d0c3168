"""Reinforcement learning: actions, planes and files as NumPy arrays, an environment of PettingZoo."""
