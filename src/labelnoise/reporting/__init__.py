"""An estimate as plain data, and that as a page, Markdown or JSON."""
