"""What `build.py` is made of; nothing here is shipped."""
