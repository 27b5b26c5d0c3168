"""What is known of a trained network: its metadata, its output scale and its piece values."""
