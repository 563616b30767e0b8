"""Runs asynchronous jobs with bounded concurrency, dependencies, retries and a publish-subscribe channel."""

import asyncio


class JobFailed(Exception):
    """A job raised in every attempt; the last error is the cause."""

    def __init__(self, name, attempts):
        super().__init__("{} failed after {} attempts".format(name, attempts))
        self.name = name
        self.attempts = attempts


class Pool:
    """Runs at most ``width`` jobs at a time and remembers the most that ever ran together."""

    def __init__(self, width):
        if width < 1:
            raise ValueError("a pool needs a width of 1 or more")
        self.width = width
        self.running = 0
        self.peak = 0
        self._waiting = []

    async def run(self, job, *args):
        await self._enter()
        try:
            return await job(*args)
        finally:
            self._leave()

    async def _enter(self):
        if self.running < self.width:
            self.running += 1
        else:
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            await turn
        self.peak = max(self.peak, self.running)

    def _leave(self):
        """Hands the place to who has waited longest, or frees it."""
        while self._waiting:
            turn = self._waiting.pop(0)
            if not turn.done():
                turn.set_result(None)
                return
        self.running -= 1

    async def map(self, job, items):
        """The results in the order of the items; the first error cancels the jobs not yet done."""
        tasks = [asyncio.ensure_future(self.run(job, item)) for item in items]
        try:
            return list(await asyncio.gather(*tasks))
        except BaseException:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            raise


async def with_retries(name, job, attempts=3, retry_on=(OSError,), pause=None):
    """The job's result; ``pause(n)`` is awaited after the nth failed attempt, but not after the last."""
    for attempt in range(1, attempts + 1):
        try:
            return await job()
        except retry_on as error:
            if attempt == attempts:
                raise JobFailed(name, attempts) from error
        if pause is not None:
            await pause(attempt)
    raise ValueError("attempts must be 1 or more")


async def run_graph(jobs, needs, width=4):
    """Runs each job once those it needs are done.

    ``jobs`` maps a name to a coroutine function that takes the results of what it needs as
    keywords. Returns results by name. A cycle or an unknown name raises ValueError before
    anything runs.
    """
    _check_graph(jobs, needs)
    pool = Pool(width)
    tasks = {}

    async def run_one(name):
        inputs = {}
        for needed in needs.get(name, ()):
            inputs[needed] = await tasks[needed]
        return await pool.run(lambda: jobs[name](**inputs))

    for name in jobs:
        tasks[name] = asyncio.ensure_future(run_one(name))
    results = await asyncio.gather(*tasks.values())
    return dict(zip(tasks, results))


def _check_graph(jobs, needs):
    for name, needed in needs.items():
        for other in (name, *needed):
            if other not in jobs:
                raise ValueError("unknown job {}".format(other))
    done = set()
    while len(done) < len(jobs):
        ready = {name for name in jobs if name not in done and done.issuperset(needs.get(name, ()))}
        if not ready:
            raise ValueError("jobs need each other: " + ", ".join(sorted(set(jobs) - done)))
        done |= ready


class Channel:
    """Passes each message to every subscriber; a full subscriber loses its oldest message."""

    _CLOSED = object()

    def __init__(self, backlog=8):
        self.backlog = backlog
        self.dropped = 0
        self._queues = []
        self._is_closed = False

    def subscribe(self):
        """An asynchronous iterator over the messages published from now on."""
        queue = asyncio.Queue()
        if self._is_closed:
            queue.put_nowait(self._CLOSED)
        self._queues.append(queue)
        return self._messages(queue)

    async def _messages(self, queue):
        while True:
            message = await queue.get()
            if message is self._CLOSED:
                return
            yield message

    def publish(self, message):
        if self._is_closed:
            raise RuntimeError("the channel is closed")
        for queue in self._queues:
            if queue.qsize() >= self.backlog:
                queue.get_nowait()
                self.dropped += 1
            queue.put_nowait(message)

    def close(self):
        """Ends every subscriber's iteration once it has read what is waiting."""
        if not self._is_closed:
            self._is_closed = True
            for queue in self._queues:
                queue.put_nowait(self._CLOSED)
