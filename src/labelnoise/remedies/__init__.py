"""What to do about the noise: corrected training and corrected scores."""
