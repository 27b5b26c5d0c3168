"""Engine processes in a tournament: configured, driven, and timed from outside."""
