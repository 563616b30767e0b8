"""What pytest is told: the project's own options, without those that would change what a test's outcome means here.

Taken out: stopping early, choosing by earlier failures, reruns, random order, distribution over processes, coverage and
reports in files, whether or not the plugin that knows them is installed. All else of the project's configuration
stands. Python 3.8 to 3.13.
"""

import copy

ALWAYS = (
    "--rootdir=.",
    "--continue-on-collection-errors",
    "--tb=line",
    "--color=no",
    "--no-header",
    "--override-ini=required_plugins=",
    "-pno:cacheprovider",
    "-pno:randomly",
)
FLAGS = {
    *("--lf", "--last-failed", "--ff", "--failed-first", "--nf", "--new-first", "--cache-clear"),
    *("--sw", "--stepwise", "--sw-skip", "--stepwise-skip", "--sw-reset", "--stepwise-reset"),
    *("-f", "--looponfail", "--cov-append", "--cov-branch", "--cov-reset", "--no-cov", "--no-cov-on-fail"),
    *("--random-order", "--fail-on-flaky", "--force-flaky", "--pdb", "--trace"),
}
WITH_VALUE = {
    *("-n", "--numprocesses", "--maxprocesses", "--max-worker-restart", "--dist", "--tx", "--px", "--rsyncdir"),
    *("--lfnf", "--last-failed-no-failures", "--cache-show", "--maxfail"),
    *("--cov-config", "--cov-report", "--cov-fail-under", "--cov-context", "--cov-precision"),
    *("--reruns", "--reruns-delay", "--only-rerun", "--rerun-except", "--max-runs", "--min-passes"),
    *("--randomly-seed", "--random-order-bucket", "--random-order-seed"),
    *("--junitxml", "--junit-xml", "--html", "--report-log", "--timeout", "--session-timeout"),
}
VALUE_IF_ANY = {"--cov"}


def kept(arguments):
    """Return the arguments without those named above, and without their values."""
    left = []
    waiting = list(reversed(arguments))
    while waiting:
        argument = waiting.pop()
        name, glued, _ = argument.partition("=")
        if name in FLAGS or (argument.startswith("-n") and argument[2:].isalnum()):
            continue
        if name in WITH_VALUE or name in VALUE_IF_ANY:
            wants = name in WITH_VALUE or (waiting and not waiting[-1].startswith("-"))
            if not glued and waiting and wants:
                waiting.pop()
            continue
        left.append(argument)
    return left


def settle(early_config, parser, args):
    """Filter the options in place after the project's ``addopts`` have come in, before any plugin acts on them."""
    wanted = kept(args)
    known = early_config.known_args_namespace
    if hasattr(known, "timeout"):
        wanted.append("--timeout=0")  # pytest-timeout measures wall time; the lab's own limit is CPU time
    if wanted != args:
        args[:] = wanted
        early_config.known_args_namespace = parser.parse_known_args(args, namespace=copy.copy(early_config.option))
        early_config.known_args_namespace.confcutdir = known.confcutdir


def disarm(config):
    """Undo short options that stand in a cluster (``-vx``)."""
    config.option.maxfail = 0
    config.option.usepdb = False
