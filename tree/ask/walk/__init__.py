"""Walks down the tree and reads leaves, led by scores or by a model."""
