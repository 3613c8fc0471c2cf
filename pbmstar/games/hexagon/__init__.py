"""Games on lattices of hexagons: Star, Hex, Y."""
