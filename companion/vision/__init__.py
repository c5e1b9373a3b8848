"""From a picture to physical cards: sources, detection, reading, geometry, tracking."""
