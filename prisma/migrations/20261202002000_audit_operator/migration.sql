-- Changes of the command line: the operating system's user who ran it.
ALTER TABLE audit ADD COLUMN operator text;
