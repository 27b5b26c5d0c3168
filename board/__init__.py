"""The board in the browser: a server on this machine, its page, pictures of pieces, rules as sentences."""
