"""Evaluation by a small neural network: its inputs, its file and its accumulators. `learn.training` trains
networks."""
