"""The Chess Engine Communication Protocol, as XBoard speaks it."""
