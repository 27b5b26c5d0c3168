"""Games as other programs write them: read into TOML files, and written back."""
