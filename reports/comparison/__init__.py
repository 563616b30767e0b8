"""Runs on the same tasks, compared task by task."""
