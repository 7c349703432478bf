"""Features -> a space in which neighbours are likely to share their true class."""
