"""The commands of ``pbmstar admin``, a module a subject, imported when one of its commands is asked for."""
