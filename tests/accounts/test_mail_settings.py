"""Where mail goes, as the environment tells it."""

from typing import Any

import pytest

from config.env import WrongEnvironment, mail_server


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("", {}),
        (
            "smtp+tls://alice:won%40der@mail.example.org:587",
            {
                "EMAIL_HOST": "mail.example.org",
                "EMAIL_PORT": 587,
                "EMAIL_HOST_USER": "alice",
                "EMAIL_HOST_PASSWORD": "won@der",
                "EMAIL_USE_TLS": True,
            },
        ),
        ("smtp+ssl://mail.example.org:465", {"EMAIL_HOST": "mail.example.org", "EMAIL_USE_SSL": True}),
        ("filemail:///tmp/mails", {"EMAIL_FILE_PATH": "/tmp/mails"}),
    ],
)
def test_a_mail_server_is_read_from_one_address(url: str, expected: dict[str, Any]) -> None:
    found = mail_server("EMAIL_URL", url)

    assert {name: found.get(name) for name in expected} == expected
    assert bool(found) == bool(url)


@pytest.mark.parametrize(
    "url",
    ["mail.example.org", "imap://alice:wonderland@h", "smtp://", "smtp://alice:wonderland@h:port"],
)
def test_what_is_no_mail_server_stops_the_start_without_telling_the_password(url: str) -> None:
    with pytest.raises(WrongEnvironment) as refused:
        mail_server("EMAIL_URL", url)

    assert str(refused.value).startswith("EMAIL_URL is ")
    assert "smtp+tls://USER:PASSWORD@HOST:587" in str(refused.value)
    assert "wonderland" not in str(refused.value)
