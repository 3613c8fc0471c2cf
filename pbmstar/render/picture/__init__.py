"""The board as a picture: one list of shapes, written as PNG for letters or as SVG for web pages."""

from .png import png, width_of
from .shapes import Picture, picture
from .svg import svg

__all__ = ["Picture", "picture", "png", "svg", "width_of"]
