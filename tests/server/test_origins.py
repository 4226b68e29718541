"""Only our own pages, and those that were listed, may connect."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flipdeck.server.origins import OriginPolicy, is_allowed

LISTED = frozenset({"https://friends.example", "https://other.example:8443", "null", "https://path.example/"})

OURS = [
    ("http://play.example", "play.example"),
    ("https://play.example", "play.example"),
    ("https://play.example", "play.example:443"),
    ("https://play.example:443", "play.example"),
    ("http://play.example", "play.example:80"),
    ("http://play.example:8000", "play.example:8000"),
    ("http://Play.Example", "pLAY.eXAMPLE"),
    ("http://127.0.0.1:8000", "127.0.0.1:8000"),
    ("http://[::1]:8000", "[::1]:8000"),
    ("https://[2001:DB8::1]", "[2001:db8::1]:443"),
    ("http://my_table:8000", "my_table:8000"),
]
NOT_OURS = [
    ("https://evil.example", "play.example"),
    ("https://play.example.evil.example", "play.example"),
    ("https://evilplay.example", "play.example"),
    ("https://sub.play.example", "play.example"),
    ("https://play.example", "sub.play.example"),
    ("https://play.example.", "play.example"),
    ("https://play.example:8443", "play.example"),
    ("https://play.example", "play.example:8443"),
    ("https://play.example", "play.example:80"),
    ("http://play.example", "play.example:443"),
    ("http://localhost:8000", "127.0.0.1:8000"),
    ("http://127.0.0.1:5173", "127.0.0.1:8000"),
]
MALFORMED = [
    *["", "null", "NULL", "play.example", "//play.example", "://play.example", "http://", "http:play.example", "*"],
    *["https://play.example/", "https://play.example/x", "https://play.example?x", "https://play.example#x"],
    *["https://user@play.example", "https://user:pw@play.example", "https://evil.example@play.example"],
    *["https://play.example:", "https://play.example:0", "https://play.example:0443", "https://play.example:x"],
    *["https://play.example:443443", "https://play.example:٤٤٣", "https://play.example ", " https://play.example"],
    *["https://play.example\n", "https://play.example\x00", "https://play.example https://evil.example"],
    *["https://play.example,https://evil.example", "ftp://play.example", "ws://play.example", "wss://play.example"],
    *[
        "file://",
        "file://play.example",
        "data:text/html",
        "javascript:0",
        "HTTPS://play.example",
        "https:///play.example",
    ],
    *[
        "https://pläy.example",
        "https://[::1",
        "https://::1",
        "https://-",
        "https://\ud800",
        "chrome-extension://abcdef",
    ],
]


@pytest.mark.parametrize(("origin", "host"), OURS)
def test_a_page_of_this_server_may_connect(origin: str, host: str) -> None:
    assert is_allowed(origin, host, frozenset())
    assert is_allowed(origin, host, LISTED)


@pytest.mark.parametrize(("origin", "host"), NOT_OURS)
def test_a_page_of_any_other_may_not(origin: str, host: str) -> None:
    assert not is_allowed(origin, host, frozenset())
    assert not is_allowed(origin, host, LISTED)


@pytest.mark.parametrize("origin", MALFORMED)
def test_what_is_no_origin_may_not_even_if_it_is_listed(origin: str) -> None:
    for host in ("play.example", origin, ""):
        assert not is_allowed(origin, host, frozenset({origin}))


@pytest.mark.parametrize("host", ["", "/", "user@play.example", "play.example:", "play.example/", "play.example "])
def test_a_page_may_not_when_nobody_knows_who_we_are(host: str) -> None:
    assert not is_allowed("https://play.example", host, frozenset())
    assert is_allowed("https://friends.example", host, LISTED), "a listed page needs no such thing"


@pytest.mark.parametrize(
    ("origin", "may"),
    [
        ("https://friends.example", True),
        ("https://other.example:8443", True),
        ("http://friends.example", False),
        ("https://friends.example:443", False),
        ("https://FRIENDS.example", False),
        ("https://other.example", False),
        ("https://sub.friends.example", False),
        ("https://path.example", False),
        ("https://path.example/", False),
    ],
)
def test_a_listed_page_may_exactly_as_listed(origin: str, may: bool) -> None:
    assert is_allowed(origin, "play.example", LISTED) == may


@settings(deadline=None, derandomize=True, database=None)
@given(st.text(max_size=40), st.text(max_size=40))
def test_no_odd_text_gets_in(origin: str, host: str) -> None:
    assert not is_allowed(f"{origin}\x00", host, LISTED)
    assert not is_allowed(f"https://{origin}@play.example", "play.example", LISTED)


# ---------------------------------------------------------------- Host
def refusal(policy: OriginPolicy, *headers: tuple[str, str]) -> str | None:
    found = policy.refusal([(name.encode(), value.encode("latin-1")) for name, value in headers])
    return None if found is None else found.code


@pytest.mark.parametrize(
    ("bound", "host", "ours"),
    [
        *[
            ("127.0.0.1", host, True)
            for host in ("127.0.0.1:8000", "127.3.2.1", "localhost:9", "[::1]:8000", "LOCALHOST")
        ],
        *[("127.0.0.1", host, False) for host in ("192.0.2.7:8000", "evil.example", "localhost.evil.example", "x y")],
        ("192.0.2.7", "192.0.2.7:8000", True),
        ("192.0.2.7", "192.0.2.8:8000", False),
        ("2001:db8::1", "[2001:DB8:0::1]:8000", True),
        ("0.0.0.0", "192.0.2.8:8000", True),  # noqa: S104  # an address can't be rebound
        ("0.0.0.0", "evil.example:8000", False),  # noqa: S104
        ("0.0.0.0", "cards.example", True),  # noqa: S104
        ("0.0.0.0", "CARDS.example:8443", True),  # noqa: S104
        ("0.0.0.0", "cards.example.evil.example", False),  # noqa: S104
        ("0.0.0.0", "", False),  # noqa: S104
    ],
)
def test_a_server_answers_to_its_own_names_only(bound: str, host: str, ours: bool) -> None:
    policy = OriginPolicy(bound, frozenset({"https://cards.example:8443"}), LISTED)
    assert refusal(policy, ("host", host)) == (None if ours else "bad-host")


def test_a_rebound_name_is_refused_though_its_page_has_the_same_origin() -> None:
    policy = OriginPolicy("127.0.0.1", frozenset(), frozenset())
    assert refusal(policy, ("host", "evil.example:8000"), ("origin", "http://evil.example:8000")) == "bad-host"


def test_a_request_has_exactly_one_host() -> None:
    policy = OriginPolicy("127.0.0.1", frozenset(), frozenset())
    assert refusal(policy) == "bad-host"
    assert refusal(policy, ("host", "localhost"), ("host", "localhost")) == "bad-host"


def test_programs_name_no_origin_and_pages_of_a_public_name_are_ours() -> None:
    policy = OriginPolicy("127.0.0.1", frozenset({"https://cards.example"}), LISTED)
    assert refusal(policy, ("host", "localhost")) is None
    assert refusal(policy, ("host", "localhost"), ("origin", "https://cards.example")) is None
    assert refusal(policy, ("host", "localhost"), ("origin", "https://friends.example")) is None
    assert refusal(policy, ("host", "localhost"), ("origin", "https://evil.example")) == "bad-origin"
    assert refusal(policy, ("host", "localhost"), ("origin", "")) == "bad-origin"
