"""Pictures of pieces and of positions as SVG."""
