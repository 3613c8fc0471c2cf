"""The operator's acts and views."""
