"""Which programs answer a call in one way alone, whatever is called before it and whoever runs them."""

from mendlab.verify.pure.program import is_pure

__all__ = ["is_pure"]
