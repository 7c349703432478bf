"""Files, frames and generators -> features and labels; and noise to put on the labels."""
