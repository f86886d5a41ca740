"""The playable tables: sessions, staging, and a board per game."""
