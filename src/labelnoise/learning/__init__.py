"""Models that are trained through the noise: losses, matrices to learn, one linear layer."""
