"""The machine below the program: files and their locks, child processes, threads, the log."""
