"""Turns raw sensor readings into calibrated values along a piecewise linear curve."""

import math


class CalibrationError(ValueError):
    """The points of a curve, or a reading, cannot be used."""


class Curve:
    """A curve through known (raw, true) points.

    ``beyond`` says what happens outside the first and last raw values: ``"clamp"`` gives
    the end value, ``"extend"`` continues the outermost segment, ``"refuse"`` raises.
    """

    def __init__(self, points, beyond="clamp"):
        if beyond not in ("clamp", "extend", "refuse"):
            raise CalibrationError("unknown policy: {}".format(beyond))
        self.points = sorted(points)
        self.beyond = beyond
        if len(self.points) < 2:
            raise CalibrationError("a curve needs at least two points")
        for (left, _), (right, _) in zip(self.points, self.points[1:]):
            if left == right:
                raise CalibrationError("raw value {} is given twice".format(left))

    def __call__(self, raw):
        first, last = self.points[0], self.points[-1]
        outside = raw < first[0] or raw > last[0]
        if outside and self.beyond == "refuse":
            raise CalibrationError("reading {} is outside the curve".format(raw))
        if outside and self.beyond == "clamp":
            return first[1] if raw < first[0] else last[1]
        return self._on_segment(self._segment(raw), raw)

    def _segment(self, raw):
        """The index of the segment's left end; the outermost one for readings outside."""
        for index in range(1, len(self.points) - 1):
            if raw < self.points[index][0]:
                return index - 1
        return len(self.points) - 2

    def _on_segment(self, index, raw):
        (x0, y0), (x1, y1) = self.points[index], self.points[index + 1]
        return y0 + (y1 - y0) * (raw - x0) / (x1 - x0)

    def inverse(self):
        """The curve from true values back to raw ones; the true values must all rise or all fall."""
        steps = [b[1] - a[1] for a, b in zip(self.points, self.points[1:])]
        if not (all(step > 0 for step in steps) or all(step < 0 for step in steps)):
            raise CalibrationError("the curve turns back on itself")
        return Curve([(y, x) for x, y in self.points], self.beyond)


def drop_spikes(readings, limit):
    """Holds the last good reading in place of each one that jumps by more than ``limit``."""
    kept = []
    for reading in readings:
        if kept and abs(reading - kept[-1]) > limit:
            kept.append(kept[-1])
        else:
            kept.append(reading)
    return kept


def smooth(readings, width):
    """The mean of each reading and up to ``width - 1`` before it."""
    if width < 1:
        raise CalibrationError("width must be at least 1")
    result = []
    for end in range(1, len(readings) + 1):
        window = readings[max(0, end - width) : end]
        result.append(math.fsum(window) / len(window))
    return result


def drift(times, readings):
    """The least-squares slope and the value at time 0, as a pair."""
    count = len(times)
    if count != len(readings):
        raise CalibrationError("times and readings differ in length")
    if count < 2:
        raise CalibrationError("two readings or more are needed")
    mean_time = math.fsum(times) / count
    mean_reading = math.fsum(readings) / count
    spread = math.fsum((t - mean_time) ** 2 for t in times)
    if spread == 0:
        raise CalibrationError("all readings were taken at the same time")
    slope = math.fsum((t - mean_time) * (r - mean_reading) for t, r in zip(times, readings)) / spread
    return slope, mean_reading - slope * mean_time


def root_mean_square_error(expected, actual):
    """How far ``actual`` is from ``expected``, in their unit; 0.0 for no readings."""
    if not expected:
        return 0.0
    return math.sqrt(math.fsum((a - e) ** 2 for e, a in zip(expected, actual)) / len(expected))
