"""``python -m pbmstar``."""

from .cli import main

main()
