"""The board in the browser: pictures of pieces, and a card with the rules."""
