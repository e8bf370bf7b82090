"""A position as a picture: our own drawing, as a list of shapes that becomes SVG or pixels."""

from subterra_env.games.subterra.picture.scene import picture

__all__ = ["picture"]
