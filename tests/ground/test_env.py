from pathlib import Path

import pytest

from config import env
from config.env import WrongEnvironment


@pytest.mark.parametrize("raw", ["1", "true", "Yes", "ON"])
def test_a_switch_may_be_turned_on_in_several_words(monkeypatch: pytest.MonkeyPatch, raw: str):
    monkeypatch.setenv("LAMP", raw)

    assert env.flag("LAMP", False) is True


@pytest.mark.parametrize("raw", ["0", "false", "No", "OFF"])
def test_a_switch_may_be_turned_off_in_several_words(monkeypatch: pytest.MonkeyPatch, raw: str):
    monkeypatch.setenv("LAMP", raw)

    assert env.flag("LAMP", True) is False


@pytest.mark.parametrize("raw", [None, "", "   "])
def test_what_is_not_given_or_blank_has_its_default(monkeypatch: pytest.MonkeyPatch, raw: str | None):
    monkeypatch.delenv("THING", raising=False)
    if raw is not None:
        monkeypatch.setenv("THING", raw)

    assert env.text("THING", "a") == "a"
    assert env.flag("THING", True) is True
    assert env.whole("THING", 7) == 7
    assert env.seconds("THING", 0.5, most=60) == 0.5
    assert env.choice("THING", "a", ("a", "b")) == "a"
    assert env.words("THING", ("a", "b")) == ["a", "b"]
    assert env.rate("THING", "1/min") == "1/min"
    assert env.address("THING", "http://a") == "http://a"
    assert env.secret("THING", "a") == "a"
    assert env.secrets("THING") == []


@pytest.mark.parametrize(
    ("read", "raw"),
    [
        (lambda: env.flag("THING", False), "perhaps"),
        (lambda: env.whole("THING", 1), "1.5"),
        (lambda: env.whole("THING", 1), "-1"),
        (lambda: env.whole("THING", 1, least=1, most=3), "4"),
        (lambda: env.seconds("THING", 1, most=60), "soon"),
        (lambda: env.seconds("THING", 1, most=60), "nan"),
        (lambda: env.seconds("THING", 1, most=60), "-0.1"),
        (lambda: env.choice("THING", "a", ("a", "b")), "c"),
        (lambda: env.rate("THING", "1/min"), "60"),
        (lambda: env.rate("THING", "1/min"), "0/min"),
        (lambda: env.rate("THING", "1/min"), "60/week"),
        (lambda: env.address("THING", "http://a"), "dice.example.org"),
        (lambda: env.address("THING", "http://a"), "ftp://dice.example.org"),
        (lambda: env.address("THING", "http://a"), "https://"),
    ],
)
def test_a_wrong_value_is_refused_with_its_name_what_it_is_and_what_would_be_right(
    monkeypatch: pytest.MonkeyPatch, read, raw: str
):
    monkeypatch.setenv("THING", raw)

    with pytest.raises(WrongEnvironment, match=rf"^THING is '{raw}'; it should be .*\.$"):
        read()


def test_a_list_stands_between_commas(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOSTS", " a.example, ,b.example,")

    assert env.words("HOSTS") == ["a.example", "b.example"]


def test_an_address_loses_the_slash_at_its_end(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SITE", "https://dice.example.org/")

    assert env.address("SITE", "http://a") == "https://dice.example.org"


def test_a_choice_ignores_case(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LEVEL", "warning")

    assert env.choice("LEVEL", "INFO", ("INFO", "WARNING")) == "WARNING"


def test_a_secret_may_come_from_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    (tmp_path / "key").write_text("  open sesame\n")
    monkeypatch.setenv("KEY_FILE", str(tmp_path / "key"))

    assert env.secret("KEY") == "open sesame"


def test_several_secrets_stand_between_commas_or_on_lines(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    (tmp_path / "keys").write_text("one\ntwo,three\n\n")
    monkeypatch.setenv("KEYS_FILE", str(tmp_path / "keys"))

    assert env.secrets("KEYS") == ["one", "two", "three"]


def test_a_secret_that_is_given_twice_is_refused_without_being_shown(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("KEY", "open sesame")
    monkeypatch.setenv("KEY_FILE", "/nowhere")

    with pytest.raises(WrongEnvironment, match="given twice") as refusal:
        env.secret("KEY")

    assert "sesame" not in str(refusal.value)


@pytest.mark.parametrize("content", [None, b"", b" \n", b"\xff\xfe"])
def test_a_secret_file_that_is_missing_empty_or_not_text_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes | None
):
    path = tmp_path / "key"
    if content is not None:
        path.write_bytes(content)
    monkeypatch.setenv("KEY_FILE", str(path))

    with pytest.raises(WrongEnvironment, match="KEY_FILE is ") as refusal:
        env.secret("KEY")

    assert str(path) in str(refusal.value)
