"""Prices, and a budget that holds."""

from __future__ import annotations

import datetime
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mendlab.errors import FormatError, ModelError
from mendlab.records import Usage
from mendlab.repair.models.prices import Price, Prices, estimate_tokens
from mendlab.repair.models.provider import providers
from mendlab.repair.models.spending import Spending

if TYPE_CHECKING:
    from conftest import Models, Server

PRICE = Price.model_validate(
    {
        "as_of": "2026-11-30",
        "source": "these tests",
        "rates": {"input": 2.0, "cache_read": 0.2, "cache_write": 2.5, "output": 10.0},
        "long_prompt": {"over": 1000, "rates": {"input": 4.0, "output": 20.0}},
    }
)


def test_each_kind_of_token_has_its_price() -> None:
    usage = Usage(uncached_tokens=100, cache_read_tokens=200, cache_write_tokens=300, output_tokens=50)
    assert PRICE.cost(usage) == pytest.approx((200 + 40 + 750 + 500) / 1e6)
    reasoned = usage.model_copy(update={"reasoning_tokens": 30})
    assert PRICE.cost(reasoned) == PRICE.cost(usage), "reasoning is part of the output"
    assert PRICE.cost(Usage(uncached_tokens=1001, output_tokens=1)) == pytest.approx((4004 + 20) / 1e6)


def test_what_is_not_known_costs_nothing_known() -> None:
    assert PRICE.cost(Usage()) is None
    assert PRICE.cost(Usage(uncached_tokens=5)) is None
    assert PRICE.cost(Usage(uncached_tokens=1000, cache_read_tokens=5, output_tokens=5)) is None, "no rate for it"
    assert PRICE.cost(Usage(uncached_tokens=1000, cache_read_tokens=0, output_tokens=0)) == pytest.approx(0.002)


def test_the_packaged_prices_are_dated_and_of_providers_that_there_are() -> None:
    prices = Prices.read(None).prices
    assert len(prices) > 5
    for label, price in prices.items():
        assert label.partition(":")[0] in providers()
        datetime.date.fromisoformat(price.as_of)
        assert price.source
        assert 0 < price.rates.input < price.rates.output
        if price.rates.cache_read is not None:
            assert price.rates.cache_read < price.rates.input


def test_a_users_prices_take_their_place(tmp_path: Path) -> None:
    file = tmp_path / "prices.json"
    file.write_text(json.dumps({"prices": {"openai-compatible:mine": PRICE.model_dump()}}))
    assert Prices.read(file).find("openai-compatible:mine") == PRICE
    assert Prices.read(file).find("openai:other") is None
    file.write_text('{"prices": {"x": {"as_of": "now"}}}')
    with pytest.raises(FormatError, match=r"prices\.json: .*prices\.x"):
        Prices.read(file)


def test_a_reservation_waits_for_what_is_under_way_and_only_then_fails() -> None:
    spending = Spending(limit=1.0)
    spending.reserve(0.6)
    begun: list[str] = []

    def second() -> None:
        spending.reserve(0.6)
        begun.append("second")

    thread = threading.Thread(target=second)
    thread.start()
    time.sleep(0.05)
    assert begun == []
    spending.settle(0.6, 0.1)
    thread.join(5)
    assert begun == ["second"]
    spending.settle(0.6, None)
    assert spending.spent == pytest.approx(0.7), "what is not known is held to have cost what was reserved"
    with pytest.raises(ModelError, match=r"of \$1 \$0\.7000 is spent, and the next call may cost \$0\.6000"):
        spending.reserve(0.6)


def test_what_was_under_way_at_a_kill_counts_as_spent_when_the_run_goes_on(tmp_path: Path) -> None:
    first = Spending(1.0, tmp_path)
    first.reserve(0.3)
    first.settle(0.3, 0.1)
    first.reserve(0.6)
    first.close()  # as a kill would
    again = Spending(1.0, tmp_path, known=0.1)
    assert again.spent == pytest.approx(0.7)
    with pytest.raises(ModelError, match=r"\$0\.7000 is spent"):
        again.reserve(0.4)
    again.reserve(0.3)


def test_a_call_is_in_the_ledger_before_it_is_answered(models: Models, server: Server) -> None:
    seen: list[float] = []
    server.default = lambda asked: seen.append(Spending(1.0, models.folder / "run").spent) or server.move()
    model = models.model("anthropic", price=PRICE, max_output_tokens=1000)
    answer = model.ask("T", 0, 0, models.asked)
    assert seen == [pytest.approx(PRICE.most(estimate_tokens(models.asked.characters), 1000))]
    assert Spending(1.0, models.folder / "run").spent == pytest.approx(answer.cost_usd)


def test_whoever_waits_for_the_budget_can_be_stopped() -> None:
    spending = Spending(limit=1.0)
    spending.reserve(1.0)
    with pytest.raises(KeyboardInterrupt):
        spending.reserve(0.5, lambda: True)


def test_more_is_spent_than_allowed_by_no_more_than_a_call_a_worker(models: Models, server: Server) -> None:
    """The server bills more than any estimate says: each answer is twice as long as the limit of output tokens."""
    workers, output = 4, 1000
    server.default = lambda seen: server.move(usage={"input_tokens": 100, "output_tokens": 2 * output}, wait=0.02)
    limit = 0.2
    model = models.model("anthropic", price=PRICE, limit=limit, at_once=workers, max_output_tokens=output)

    def ask(sample: int) -> float:
        try:
            return model.ask("T", sample, 0, models.asked).cost_usd or 0.0
        except ModelError:
            return 0.0

    with ThreadPoolExecutor(workers) as pool:
        spent = sum(pool.map(ask, range(60)))
    reserved = PRICE.most(estimate_tokens(models.asked.characters), output)
    call = (100 * 2 + 2 * output * 10) / 1e6
    assert limit / 2 < spent <= limit + workers * max(reserved, call)
    assert len(server.seen) < 30


def test_within_the_estimates_nothing_is_overspent(models: Models, server: Server) -> None:
    server.default = lambda seen: server.move(usage={"input_tokens": 40, "output_tokens": 1000})
    model = models.model("anthropic", price=PRICE, limit=0.05, at_once=3, max_output_tokens=1000)
    spent = 0.0
    with pytest.raises(ModelError, match="larger --max-cost"):
        for sample in range(100):
            spent += model.ask("T", sample, 0, models.asked).cost_usd or 0.0
    assert 0.03 < spent <= 0.05
    models.close()
    models.opened.clear()
    again = models.model("anthropic", price=PRICE, limit=0.05, max_output_tokens=1000)
    with pytest.raises(ModelError, match=f"\\${spent:.4f} is spent"):
        again.ask("T", 100, 0, models.asked)


def test_a_call_that_may_have_been_billed_unheard_counts_against_the_limit_and_one_that_was_not_does_not(
    models: Models, server: Server
) -> None:
    model = models.model("anthropic", price=PRICE, limit=0.025, max_output_tokens=1000)
    server.script = [server.move(status=500) for _ in range(5)]
    for sample in range(5):
        assert model.ask("T", sample, 0, models.asked).cost_usd is None
    server.script = [server.move(cut=True), server.move(cut=True)]
    for sample in (5, 6):
        assert model.ask("T", sample, 0, models.asked).finish == "failed"
    with pytest.raises(ModelError, match="is spent"):
        model.ask("T", 7, 0, models.asked)
