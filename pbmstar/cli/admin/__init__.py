"""The commands of ``pbmstar admin``, a module for each subject, imported when one of its commands is used."""
