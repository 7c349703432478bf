"""Elements of SVG and HTML; text is escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from collections.abc import Iterable

SELF_CLOSING = ("rect", "path", "circle")  # elements of HTML may not be closed at once
LETTER_WIDTH = 7.8  # pixels of an average letter
PADDING = 8.0  # pixels between a name and what it names


def element(name: str, *children: Any, **attributes: Any) -> Markup:
    """An element; ``_`` at the end of an attribute's name is dropped, others become ``-``.

    >>> element("text", "a < b", x=1.25, text_anchor="end", class_="name")
    Markup('<text x="1.2" text-anchor="end" class="name">a &lt; b</text>')
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_rounded(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(map(escape, children))
    if name in SELF_CLOSING and not inside:
        return Markup(f"<{name}{written}/>")
    return Markup(f"<{name}{written}>{inside}</{name}>")


def drawing(width: float, height: float, label: str, children: Iterable[Any]) -> Markup:
    """A picture that fills the available width; screen readers read its label."""
    box, style = f"0 0 {width:g} {height:g}", f"max-width:{width:g}px"
    return element("svg", *children, viewBox=box, role="img", aria_label=label, style=style)


def tooltip(text: str) -> Markup:
    """Text that is shown when an element of SVG is pointed at."""
    return element("title", text)


def text(content: str, x: float, y: float, hover: str = "", **attributes: Any) -> Markup:
    """A line of text that begins at `x`, unless there is another `text_anchor`."""
    parts = (content, tooltip(hover)) if hover else (content,)
    return element("text", *parts, x=float(x), y=float(y), **attributes)


def width_of(names: Iterable[str], limit: float) -> float:
    """Pixels that names of this length take, up to a limit.

    >>> width_of(["cat", "giraffe"], 200.0), width_of(["a" * 100], 200.0)
    (62.6, 200.0)
    """
    return min(limit, LETTER_WIDTH * max(map(len, names)) + PADDING)


def _rounded(value: Any) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
