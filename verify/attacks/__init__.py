"""Attacks on the judge: candidates that are wrong and set out to be called right. None may be."""
