"""The build, one concern a file; standard library only, except `bench` (needs the venv)."""
