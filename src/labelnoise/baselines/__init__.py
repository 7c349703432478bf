"""Five published methods to compare with, one per file."""
