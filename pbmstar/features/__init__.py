"""A folder for each feature: all that goes beyond one game. ``parts`` lists them, with what each has."""
