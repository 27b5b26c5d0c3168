"""A game as its file defines it: files are found, read and checked; positions read and written as text."""
