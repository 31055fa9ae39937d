import stat
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from config import keys
from config.env import Unusable
from tests.serving import ROOT


def test_a_key_is_made_once_and_then_kept(tmp_path: Path):
    first = keys.kept_secret_key(tmp_path)

    assert len(first) >= 50
    assert keys.kept_secret_key(tmp_path) == first
    assert keys.kept_sealing_keys(tmp_path) == keys.kept_sealing_keys(tmp_path)
    assert keys.checked_sealing_keys(keys.kept_sealing_keys(tmp_path))


def test_only_the_owner_may_read_the_keys_and_their_folder(tmp_path: Path):
    folder = tmp_path / "new" / "var"

    keys.kept_secret_key(folder)
    keys.kept_sealing_keys(folder)

    assert stat.S_IMODE((folder / "secret_key").stat().st_mode) == 0o600
    assert stat.S_IMODE((folder / "sealing_keys").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_second_sealing_key_may_be_put_in_front_of_the_first(tmp_path: Path):
    (old,) = keys.kept_sealing_keys(tmp_path)
    new = Fernet.generate_key().decode()
    (tmp_path / "sealing_keys").write_text(f"{new}\n{old}\n")

    assert keys.kept_sealing_keys(tmp_path) == [new, old]


def test_processes_that_start_at_once_agree_on_the_keys(tmp_path: Path):
    program = (
        "import sys; from pathlib import Path; from config import keys; sys.stdin.readline();"
        f"folder = Path({str(tmp_path)!r});"
        "print(keys.kept_secret_key(folder), *keys.kept_sealing_keys(folder))"
    )
    starters = [
        subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(6)
    ]

    for starter in starters:
        starter.stdin.write("go\n")
        starter.stdin.flush()
    answers = [starter.communicate(timeout=30)[0] for starter in starters]

    assert len(set(answers)) == 1
    assert len(answers[0].split()) == 2


@pytest.mark.parametrize("content", ["", "half a ke", "\n"])
def test_a_broken_key_file_is_refused_and_left_as_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: str
):
    monkeypatch.setattr(keys, "PATIENCE_SECONDS", 0.05)
    path = tmp_path / "secret_key"
    path.write_text(content)

    with pytest.raises(Unusable, match=str(path)):
        keys.kept_secret_key(tmp_path)

    assert path.read_text() == content


def test_a_wrong_sealing_key_is_refused_by_its_place_and_not_shown():
    good = Fernet.generate_key().decode()

    with pytest.raises(Unusable, match="key 2 of 2") as refusal:
        keys.checked_sealing_keys([good, "open sesame"])

    assert "sesame" not in str(refusal.value)
    assert good not in str(refusal.value)
