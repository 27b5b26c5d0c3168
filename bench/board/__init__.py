"""The board in the browser: a server on this machine, the page that it serves, pictures of pieces, rules in words."""
