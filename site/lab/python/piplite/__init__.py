"""In place of JupyterLite's installer: here everything comes with the site, nothing is fetched."""

from .piplite import install

__version__ = "0.8.6"

__all__ = ["__version__", "install"]
