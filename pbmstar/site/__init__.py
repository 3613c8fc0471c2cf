"""The site: what the server shows on the web, a folder of plain files."""
