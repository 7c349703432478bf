"""Neighbors and labels -> evidence about the classes, small and mergeable."""
