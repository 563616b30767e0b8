"""Plots of the report, drawn by matplotlib as SVG that takes its colours from the page."""
