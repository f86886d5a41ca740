"""Explaining: computed from the engine, never a second copy of the rules.

Pure functions over :mod:`lovecraft.games` and :mod:`lovecraft.core`; whatever is said is a
:class:`~lovecraft.i18n.Message`. Long computations are iterators that can be driven in slices.
"""
