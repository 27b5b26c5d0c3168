"""The hand-written evaluation: its terms and their parameters."""
