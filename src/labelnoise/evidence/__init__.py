"""Predictions of each row's label from its features and from the labels of other rows.

Data flow one way through this package: rows become `cells`, `sources` give each cell posteriors
that do not know its own label (`posteriors`), a logarithmic pool of them is one score per class
(`pooling`), scores become ranks, and ranks become tail depths (`ranking`).
"""
