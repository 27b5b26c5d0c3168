"""Adding the engine to GUIs."""
