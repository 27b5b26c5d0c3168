"""The Universal Chinese Chess Interface."""
