"""What tokens cost: from a dated file, of the package or of the user."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, Self, final

from mendlab.corpora.journal import parse_record
from mendlab.errors import InputError
from mendlab.records import Record, Usage
from mendlab.repair.models.calls import ModelSettings, Request

_PACKAGED: Final = "prices.json"
_MILLION: Final = 1_000_000
CHARACTERS_A_TOKEN: Final = 3
"""For estimates without a tokenizer: programs come to some 3 to 4 characters a token."""
_OVERHEAD_TOKENS: Final = 50


@final
class Rates(Record):
    """US dollars a million tokens; a kind whose price is not known is ``None``."""

    input: float
    cache_read: float | None = None
    cache_write: float | None = None
    output: float

    def times(self, share: float) -> Rates:
        """Return a share of each."""
        return self.model_copy(
            update={kind: rate * share for kind, rate in self.model_dump().items() if rate is not None}
        )


@final
class LongPrompt(Record):
    """Other rates, for all tokens of a call whose prompt is longer than ``over`` tokens."""

    over: int
    rates: Rates


@final
class Price(Record):
    """A model's prices, as they were on a day, by ``source``. A batch costs that share (0 to 1) of them."""

    as_of: str
    source: str
    rates: Rates
    long_prompt: LongPrompt | None = None
    batch: float | None = None

    def batched(self) -> Price | None:
        """Return the prices of a batch, if they are known."""
        share = self.batch
        if share is None:
            return None
        long = self.long_prompt
        return self.model_copy(
            update={
                "rates": self.rates.times(share),
                "long_prompt": long and long.model_copy(update={"rates": long.rates.times(share)}),
            }
        )

    def _rates(self, prompt: int) -> Rates:
        long = self.long_prompt
        return long.rates if long is not None and prompt > long.over else self.rates

    def cost(self, usage: Usage) -> float | None:
        """Return what a call cost, ``None`` if a part of it is not known."""
        kinds = (usage.uncached_tokens, usage.cache_read_tokens, usage.cache_write_tokens)
        if usage.uncached_tokens is None or usage.output_tokens is None:
            return None
        rates = self._rates(sum(tokens or 0 for tokens in kinds))
        total = usage.output_tokens * rates.output
        for tokens, rate in zip(kinds, (rates.input, rates.cache_read, rates.cache_write), strict=True):
            if tokens:
                if rate is None:
                    return None
                total += tokens * rate
        return round(total / _MILLION, 9)

    def most(self, prompt: int, output: int) -> float:
        """Return what a call can cost at most, by estimate of its prompt: all of it written to the cache."""
        rates = self._rates(prompt)
        return (prompt * max(rates.input, rates.cache_write or 0.0) + output * rates.output) / _MILLION


@final
class Prices(Record):
    """The file: prices by ``PROVIDER:NAME``."""

    prices: dict[str, Price]

    @classmethod
    def read(cls, path: Path | None) -> Self:
        """Read the user's file, or the package's.

        Raises:
            InputError: it cannot be read.
            FormatError: it is not in that form.
        """
        if path is None:
            return cls.model_validate_json(_packaged())
        try:
            return parse_record(path.read_bytes(), cls, str(path))
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", where=path) from error

    def find(self, label: str) -> Price | None:
        """Return a model's price, if it is known by this very name."""
        return self.prices.get(label)


def estimate_tokens(characters: int) -> int:
    """Return about how many tokens a text has."""
    return -(-characters // CHARACTERS_A_TOKEN) + _OVERHEAD_TOKENS


def most_of(price: Price | None, request: Request, settings: ModelSettings) -> float:
    """Return what a call can cost at most, by estimate; 0 where the price is not known."""
    if price is None:
        return 0.0
    return price.most(estimate_tokens(request.characters), settings.max_output_tokens)


@cache
def _packaged() -> bytes:
    return (files(__package__) / _PACKAGED).read_bytes()
