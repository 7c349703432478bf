"""SVG charts for the report page."""
