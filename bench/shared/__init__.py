"""Shared by all packages of bench: the console, facts on machine and sources, files with one writer."""
