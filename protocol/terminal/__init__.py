"""What commands show and ask in a terminal."""
