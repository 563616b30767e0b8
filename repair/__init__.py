"""Repair: strategies that propose patches, and the resumable loop that has every one of them judged."""
