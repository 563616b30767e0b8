"""Another clock for a run: the date is moved, and sleeping takes longer, as it may on any machine.

What sets the clock is time-machine, from a folder of the environment that is not on the import path. Python 3.8 to
3.13, standard library only.
"""

import os
import sys
import time

FOLDER = "mendlab-clock"
STRETCHED = 40


def available():
    """Whether this environment has what it takes."""
    return os.path.isdir(os.path.join(sys.prefix, FOLDER))


def move(seconds):
    """Have the clock of this process go on from ``seconds`` later than it is."""
    before = list(sys.path)
    sys.path.append(os.path.join(sys.prefix, FOLDER))
    try:
        import time_machine
    finally:
        sys.path[:] = before
    time_machine.travel(time.time() + seconds, tick=True).start()
    stretch_sleep()


def stretch_sleep():
    """Make the first sleeps longer than asked for; all of them might be."""
    sleep, left = time.sleep, [STRETCHED]

    def sleep_longer(seconds):
        left[0] -= 1
        sleep(seconds if left[0] < 0 else 1.5 * seconds + 0.02)

    sleep_longer.__name__ = sleep_longer.__qualname__ = "sleep"
    time.sleep = sleep_longer
