"""How Sphinx builds these pages."""

import labelnoise

project = "labelnoise"
author = "The labelnoise developers"
version = release = labelnoise.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.mathjax"]
html_theme = "furo"
html_title = "labelnoise"
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings say what goes in
napoleon_google_docstring = False
napoleon_use_rtype = False
