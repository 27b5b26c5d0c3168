"""Facts about trained networks: metadata, output scale and piece values."""
