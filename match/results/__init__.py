"""The results of a match: standings, Elo, SPRT, ratings, tables and plots."""
