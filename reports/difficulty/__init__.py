"""How hard tasks are: from what they are made of, and from what solvers made of them. See docs/difficulty.md."""
