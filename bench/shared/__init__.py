"""What every room of bench needs: the console, facts on machine and sources, files of one writer."""
