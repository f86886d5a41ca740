"""Edition files that come with the package."""
