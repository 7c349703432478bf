"""Rows to check, what reviewers decided, and what that changes."""
