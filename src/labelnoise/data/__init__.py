"""Files, frames and generators -> features and labels; and synthetic noise for labels."""
