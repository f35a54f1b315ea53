"""A language model that the app runs by itself: a GGUF file, a process that answers for it on this machine, and downloads."""
