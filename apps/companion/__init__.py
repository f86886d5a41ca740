"""The scoring companion: games played with real cards."""
