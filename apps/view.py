"""Pages as HTML: Jinja templates with every word from the catalogues and everything escaped."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, partial
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from apps.chart import label
from lovecraft import art, i18n


@cache
def environment() -> Environment:
    """One environment for all; templates are compiled once (in the site: before the snapshot)."""
    env = Environment(
        loader=PackageLoader("apps"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
    )
    env.globals["args"] = args
    env.globals["label"] = label
    env.globals["sprite"] = Markup(art.sprite())  # noqa: S704 - our own file
    return env


def args(*values: Any) -> str:
    """The arguments of an action, for a ``data-args`` attribute."""
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def render(template: str, lang: str, names: Sequence[str] = (), **context: Any) -> str:
    """Render a template; in it, ``t`` turns a message or key into words of ``lang``."""
    words = partial(i18n.text, lang=lang, names=names)
    return environment().get_template(template).render(t=words, lang=lang, names=names, **context)


def sigil(name: str) -> Markup:
    """A drawn sign from the sprite, as decoration: its meaning must stand beside it in words."""
    return Markup('<svg class="sigil" aria-hidden="true"><use href="#{}"></use></svg>').format(name)
