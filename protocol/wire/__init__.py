"""Lines, words and spellings that the protocols share."""
