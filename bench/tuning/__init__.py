"""Numbers of the evaluation from games of the engine against itself."""
