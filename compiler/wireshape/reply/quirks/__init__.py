"""Marks and habits of single models and servers, as data with small functions; the one place where they are named."""
