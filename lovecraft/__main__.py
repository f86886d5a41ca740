"""``python -m lovecraft``."""

from lovecraft.cli import main

raise SystemExit(main())
