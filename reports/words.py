"""Numbers as readers see them: whole percents, intervals, durations, and ``unknown`` for what is not known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mendlab.reports.costs import CostPerFix, Total
from mendlab.reports.statistics import Estimate
from mendlab.reports.statistics.ratios import Ratio

UNKNOWN: Final = "unknown"


def percent(rate: float | None) -> str:
    """Return a rate (0 to 1) as a percentage. Only what is none or all reads as ``0%`` or ``100%``."""
    if rate is None:
        return UNKNOWN
    if 0 < rate < 0.005 or 0.995 <= rate < 1:
        return "<0.1%" if rate < 0.0005 else ">99.9%" if rate >= 0.9995 else f"{100 * rate:.1f}%"
    return f"{100 * rate:.0f}%"


def interval(estimate: Estimate) -> str:
    """Return a 95% interval as ``44–68%``."""
    if estimate.low is None or estimate.high is None:
        return "no interval"
    low, high = percent(estimate.low), percent(estimate.high)
    return f"{low.removesuffix('%')}–{high}"


def rate(estimate: Estimate) -> str:
    """Return a rate with its interval, as ``57% (44–68%)``."""
    if estimate.value is None:
        return "undefined"
    return f"{percent(estimate.value)} ({interval(estimate)})"


def signed(number: float) -> str:
    """Return a number such as a correlation with two decimals and a proper minus sign."""
    return f"{number:.2f}".replace("-", "\N{MINUS SIGN}")


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, as ``1 task`` or ``1,200 tasks``; plurals take an ``s``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def total_seconds(total: Total) -> str:
    """Return a duration as ``0.42 s``, ``12 s``, ``3 min 20 s`` or ``2 h 05 min``."""
    return _known(total, "" if total.value is None else _seconds(total.value))


def total_tokens(total: Total) -> str:
    """Return a number of tokens with thousands set apart."""
    return _known(total, "" if total.value is None else f"{total.value:,.0f}")


def total_dollars(total: Total) -> str:
    """Return a sum of money as ``$1.20``."""
    return _known(total, "" if total.value is None else f"${total.value:,.{2 if total.value >= 1 else 4}f}")


def _known(total: Total, text: str) -> str:
    if not text:
        return UNKNOWN
    return text if total.known == total.of else f"at least {text} (known for {total.known:,} of {total.of:,})"


def _seconds(seconds: float) -> str:
    if seconds < 10:
        return f"{seconds:.2f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def per_fix(cost: CostPerFix) -> list[str]:
    """Return what a correct fix took, each as ``$0.12 (0.10–0.15)``: money, tokens, time, as far as there is any."""
    shown = (
        (cost.cost_usd, lambda value: f"{value:,.{2 if value >= 1 else 4}f}", "${}"),
        (cost.output_tokens, lambda value: f"{value:,.0f}", "{} output tokens"),
        (cost.repairer_cpu_seconds, lambda value: f"{value:,.3g}", "{} s of repairer CPU"),
        (cost.verifier_cpu_seconds, lambda value: f"{value:,.3g}", "{} s of verifier CPU"),
    )
    return [unit.format(_ratio(one, form)) for one, form, unit in shown if one is not None and one.value is not None]


def _ratio(one: Ratio, form: Callable[[float], str]) -> str:
    assert one.value is not None
    span = "" if one.low is None or one.high is None else f" ({form(one.low)}–{form(one.high)})"
    return form(one.value) + span
