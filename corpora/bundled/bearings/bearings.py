"""Compass arithmetic in degrees: turns, means, points of the compass and dead reckoning.

North is 0 and bearings grow clockwise, so that east is 90.

>>> turn(350, 10)
20.0
>>> point(292)
'WNW'
"""

import math

POINTS = "N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW".split()


def normal(bearing):
    """The same direction as a number from 0 up to, not including, 360.

    >>> normal(360), normal(-90), normal(725)
    (0.0, 270.0, 5.0)
    """
    return float(bearing) % 360.0


def turn(start, end):
    """The shorter way round, right turns positive; a half turn is +180.

    >>> turn(10, 350)
    -20.0
    >>> turn(0, 180), turn(180, 0), turn(90, 270.5)
    (180.0, 180.0, -179.5)
    >>> turn(45, 45)
    0.0
    """
    difference = normal(end - start)
    return difference - 360.0 if difference > 180.0 else difference


def opposite(bearing):
    """
    >>> opposite(10), opposite(270)
    (190.0, 90.0)
    """
    return normal(bearing + 180)


def point(bearing, count=16):
    """The name of the nearest of 4, 8 or 16 points; halves go clockwise.

    >>> [point(b) for b in (0, 11.24, 11.25, 348.74, 348.75)]
    ['N', 'N', 'NNE', 'NNW', 'N']
    >>> [point(b, 8) for b in (22.4, 22.5, 67.5)], [point(b, 4) for b in (44, 45, 225)]
    (['N', 'NE', 'E'], ['N', 'E', 'W'])
    >>> point(0, 5)
    Traceback (most recent call last):
        ...
    ValueError: there are 4, 8 or 16 points, not 5
    """
    if count not in (4, 8, 16):
        raise ValueError("there are 4, 8 or 16 points, not {}".format(count))
    step = 360.0 / count
    index = int(normal(bearing) / step + 0.5) % count
    return POINTS[index * (16 // count)]


def parse(text):
    """A point's name, or a quadrant bearing such as ``S 20 E``, as a bearing.

    >>> parse("ssw"), parse("N 30 E"), parse("S 20 E"), parse("s 20 w"), parse("N 10 W")
    (202.5, 30.0, 160.0, 200.0, 350.0)
    >>> parse("N 90 W"), parse("S 0 W")
    (270.0, 180.0)
    >>> parse("N 91 E")
    Traceback (most recent call last):
        ...
    ValueError: not a bearing: N 91 E
    >>> parse("E 10 N")
    Traceback (most recent call last):
        ...
    ValueError: not a bearing: E 10 N
    """
    words = text.upper().split()
    if len(words) == 1 and words[0] in POINTS:
        return POINTS.index(words[0]) * 22.5
    if len(words) == 3 and words[0] in ("N", "S") and words[2] in ("E", "W"):
        angle = float(words[1])
        if 0 <= angle <= 90:
            from_north = angle if words[0] == "N" else 180 - angle
            return normal(from_north if words[2] == "E" else -from_north)
    raise ValueError("not a bearing: {}".format(text))


def mean(bearings):
    """The mean direction, or None when the bearings cancel each other out.

    >>> round(mean([350, 20]), 6)
    5.0
    >>> round(mean([80, 90, 130]), 1)
    99.7
    >>> mean([0, 180]) is None, mean([]) is None
    (True, True)
    """
    north = math.fsum(math.cos(math.radians(b)) for b in bearings)
    east = math.fsum(math.sin(math.radians(b)) for b in bearings)
    if math.hypot(north, east) < 1e-9:
        return None
    return normal(math.degrees(math.atan2(east, north)))


def move(position, bearing, distance):
    """Where one gets to from (east, north) on flat ground.

    >>> east, north = move((100, 50), 90, 20)
    >>> round(east, 6), round(north, 6)
    (120.0, 50.0)
    """
    angle = math.radians(bearing)
    return position[0] + distance * math.sin(angle), position[1] + distance * math.cos(angle)


def course(positions):
    """(bearing, distance) of each leg; legs without length have bearing None.

    >>> course([(0, 0), (0, 5), (3, 5), (3, 5)])
    [(0.0, 5.0), (90.0, 3.0), (None, 0.0)]
    """
    legs = []
    for (x0, y0), (x1, y1) in zip(positions, positions[1:]):
        length = math.hypot(x1 - x0, y1 - y0)
        legs.append((normal(math.degrees(math.atan2(x1 - x0, y1 - y0))) if length else None, length))
    return legs
