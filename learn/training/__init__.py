"""Training networks on the positions of self-play games."""
