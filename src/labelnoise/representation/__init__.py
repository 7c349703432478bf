"""Features -> a space in which neighbors are likely to share their true class."""
