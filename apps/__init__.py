"""The Panel apps."""
