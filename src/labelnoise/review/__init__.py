"""Reviewing labels: rows to check, the decisions of reviewers, and what they change."""
