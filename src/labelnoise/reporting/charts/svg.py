"""Small pieces of SVG; whatever text goes in is escaped."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup, escape

WITHOUT_CONTENT = ("rect", "path", "circle")
"""Elements of SVG that may be closed at once; those of HTML may not."""


def element(name: str, *children: Any, **attributes: Any) -> Markup:
    """An element; ``_`` at the end of an attribute's name is dropped, others become ``-``.

    >>> element("text", "a < b", x=1.25, text_anchor="end", class_="name")
    Markup('<text x="1.2" text-anchor="end" class="name">a &lt; b</text>')
    """
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_short(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(escape(child) for child in children)
    if name in WITHOUT_CONTENT and not inside:
        return Markup(f"<{name}{told}/>")
    return Markup(f"<{name}{told}>{inside}</{name}>")


def drawing(width: float, height: float, label: str, *children: Any) -> Markup:
    """A drawing that fills the width it is given, with a name for those who cannot see it."""
    return element(
        "svg",
        *children,
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        aria_label=label,
        style=f"max-width:{width:g}px",
    )


def title(text: str) -> Markup:
    """What is shown on hover."""
    return element("title", text)


def _short(value: Any) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
