"""The Chess Engine Communication Protocol (CECP), as XBoard implements it."""
