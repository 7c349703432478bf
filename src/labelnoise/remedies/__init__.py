"""What to do about the noise: wrong rows to review, models to train, scores to report."""
