"""Runs worth repeating, one YAML file each; data only."""
