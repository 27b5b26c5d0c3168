"""The rules of a game as English sentences, tables and boards drawn with letters, from its description."""
