"""Rules to touch: the explorer, a game step by step, cards, and the what-if laboratory."""
