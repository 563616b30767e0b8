"""Which changes make a difference to which tests at once: changed expressions evaluated beside the good ones."""
