"""`python -m pincite` and the `pincite` program."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and leave with its exit code."""
    # The command line brings click and pydantic; `import pincite.__main__` must not.
    from pincite.cli.app import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
