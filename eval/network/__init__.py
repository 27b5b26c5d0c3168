"""Evaluation by a small neural network: its inputs, its file and its sums. What trains networks lives in
`learn.training`."""
