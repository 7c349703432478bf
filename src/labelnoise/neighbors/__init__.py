"""Points -> their nearest neighbors: one graph type, and the exact search engines that build it."""
