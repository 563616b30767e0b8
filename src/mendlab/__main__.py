"""``python -m mendlab`` is the ``mendlab`` command."""

from mendlab.cli import main

if __name__ == "__main__":
    main()
