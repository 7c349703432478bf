"""Points -> who is near whom: one graph type, and the engines that build it."""
