"""Several answers a row: every annotator's T, and the label that the answers support together."""
