"""Four small card games in one pure-Python engine: play, score and understand them.

Start with :func:`lovecraft.games.get`; the contract every game keeps is
:class:`lovecraft.core.Game`.
"""

from lovecraft.core import showing

__version__ = "0.1.0"

showing.drawn_by("lovecraft.notebook")
