"""Dialect rows: one TOML file each; this package holds data only."""
