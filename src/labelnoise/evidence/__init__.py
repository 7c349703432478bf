"""What the features say about the labels, row by row.

A row goes one way through this package: rows become `cells`, `sources` give each cell posteriors
that do not know its own label (`posteriors`), a logarithmic pool of them is one score per class
(`pooling`), scores become ranks, and ranks become tail depths (`ranks`, `ranking`).
"""
