"""Reviewing labels: rows to check, what reviewers decided, and what that changes."""
