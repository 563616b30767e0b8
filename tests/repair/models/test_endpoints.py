"""Requests go where they are meant to, or nowhere."""

from __future__ import annotations

import asyncio
import ipaddress

import pytest

from mendlab.errors import InputError
from mendlab.repair.models.endpoints import Endpoint, check_url, open_http, refused


@pytest.mark.parametrize(
    "url",
    [
        "https://api.example.org/v1",
        "http://localhost:8000/v1",
        "http://127.0.0.1:8000",
        "http://127.3.2.1",
        "http://[::1]:8000/v1",
        "https://10.0.0.5/v1",
    ],
)
def test_an_address_that_may_be_used(url: str) -> None:
    check_url(url)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("", "is no URL"),
        ("localhost:8000", "is no URL"),
        ("ftp://localhost/", "is no URL"),
        ("https://", "is no URL"),
        ("https://host:port/", "is no URL"),
        ("http://api.example.org/v1", "is not https"),
        ("http://10.0.0.5/v1", "is not https"),
        ("http://localhost.example.org/", "is not https"),
        ("http://127.0.0.1.example.org/", "is not https"),
        ("https://me:secret@example.org/", "has a user"),
        ("https://example.org/?key=secret", "has a user, a query"),
        ("https://169.254.169.254/latest", "link-local or metadata"),
        ("http://169.254.169.254/latest", "link-local or metadata"),
        ("https://[fe80::1%25eth0]/", "link-local or metadata"),
        ("https://[fd00:ec2::254]/", "link-local or metadata"),
        ("https://[::ffff:169.254.169.254]/", "link-local or metadata"),
        ("https://100.100.100.200/", "link-local or metadata"),
        ("https://0.0.0.0/", "link-local or metadata"),
    ],
)
def test_an_address_that_may_not(url: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        check_url(url)


def test_what_is_never_sent_to() -> None:
    for address in ("169.254.0.1", "fe80::1", "224.0.0.1", "::", "2002:a9fe:a9fe::1"):
        assert refused(ipaddress.ip_address(address)), address
    for address in ("127.0.0.1", "8.8.8.8", "10.1.2.3", "2606:4700::1111"):
        assert not refused(ipaddress.ip_address(address)), address


@pytest.mark.parametrize("host", ["2852039166", "0xa9fea9fe"])
def test_a_name_that_means_a_metadata_service_is_found_out_when_it_is_looked_up(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)

    async def send() -> None:
        url = f"https://{host}/v1"
        async with open_http(Endpoint(url, None, 2.0)) as client:
            await client.post(url)

    with pytest.raises(InputError, match=r"is 169\.254\.169\.254, where nothing may be sent"):
        asyncio.run(send())


def test_an_address_that_is_none_for_http_is_refused_in_a_line() -> None:
    with pytest.raises(InputError, match="is no URL"):
        open_http(Endpoint("https://0251.0376.0251.0376/v1", None, 2.0))


def test_a_key_is_in_no_text_about_an_endpoint() -> None:
    endpoint = Endpoint("https://example.org", "sk-secret", 1.0)
    assert "sk-secret" not in repr(endpoint)
    assert endpoint.scrub("it says sk-secret twice: sk-secret") == "it says [key] twice: [key]"
