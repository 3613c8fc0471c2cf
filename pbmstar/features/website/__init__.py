"""The site of the server on the web: a folder of plain files."""
