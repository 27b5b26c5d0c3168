"""A study as HTML, Markdown and JSON."""
