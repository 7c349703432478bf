"""Baselines: five published methods to compare with, each in a file of its own."""
