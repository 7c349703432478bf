"""Evidence -> T: one method a file, all with the same interface."""
