"""Making the engine known to GUIs."""
