"""The course: five lessons of Star by mail, each with a task that a reply solves."""
