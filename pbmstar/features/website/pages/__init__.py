"""The pages of the website: what they show, as values and as SVG, and the templates that they're made of."""
