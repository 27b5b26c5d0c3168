"""Engine processes as a tournament sees them: configured, spoken to, timed from outside."""
