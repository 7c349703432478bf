"""The command line: files in, tables, files and pages out."""
