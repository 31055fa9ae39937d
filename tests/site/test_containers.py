"""The description of a site in containers, without an engine to run it."""

import json
import os
import re
import shlex
import shutil
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from compose_spec import PyCompose
from cryptography.fernet import Fernet

from config import env
from tests.serving import ROOT

DOCKER = ROOT / "config/docker"
OURS = ("web", "events", "worker-time", "worker-computers", "worker-default", "beat", "migrate")


def described(**variables: str) -> dict[str, Any]:
    """The description as Compose takes it: variables put in, aliases followed."""
    text = (ROOT / "docker-compose.yml").read_text()
    text = re.sub(r"\$\{(\w+):-([^}]*)\}", lambda found: variables.get(found[1]) or found[2], text)
    document = yaml.safe_load(text)
    return {name: part for name, part in document.items() if not name.startswith("x-")}


@pytest.fixture
def services() -> dict[str, Any]:
    return described()["services"]


def words(command: str | list[str]) -> list[str]:
    split = shlex.split(command) if isinstance(command, str) else command
    return [part for word in split for part in word.split("=", 1)]


def test_the_description_is_one_that_compose_takes():
    PyCompose.from_json(json.dumps(described())).validate()

    with pytest.raises(ValueError, match="restrat"):
        PyCompose.from_json(json.dumps({"services": {"web": {"image": "a", "restrat": "no"}}}))


@pytest.mark.skipif(
    subprocess.run(["sh", "-c", "docker compose version"], capture_output=True).returncode != 0,
    reason="no docker compose here; the test above reads the same file",
)
def test_compose_itself_takes_it():
    command = ["docker", "compose", "config", "--quiet"]

    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)

    assert done.returncode == 0, done.stderr


def test_everything_that_is_waited_for_or_mounted_is_there(services: dict[str, Any]):
    whole = described()

    for name, service in services.items():
        assert service.get("depends_on", {}).keys() <= services.keys(), name
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert (ROOT / source).is_file() if source.startswith("./") else source in whole["volumes"]


def test_the_containers_run_what_one_machine_runs(services: dict[str, Any]):
    lines = (ROOT / "config/Procfile").read_text().splitlines()
    told = dict(line.split(": ", 1) for line in lines if line and not line.startswith("#"))

    for name, command in told.items():
        here = words(services[name]["command"])
        if "0.0.0.0" in here:
            here = [word for word in here if word not in ("--host", "0.0.0.0")]
        assert here == words(shlex.split(command.format(web=8000, events=8000))), name


def test_every_part_is_watched_started_again_and_given_time_to_end(services: dict[str, Any]):
    for name, service in services.items():
        assert service["restart"] in ("unless-stopped", "on-failure"), name
        assert "stop_grace_period" in service, name
        if name != "migrate":
            assert service["healthcheck"]["test"], name


def test_our_parts_may_do_little_and_their_secrets_are_files(services: dict[str, Any]):
    image = (DOCKER / "Dockerfile").read_text()

    assert re.findall(r"^USER (.+)$", image, re.MULTILINE)[-1] == "10001:10001"
    for name in OURS:
        assert services[name]["read_only"]
        assert services[name]["cap_drop"] == ["ALL"]
        given = services[name]["environment"]
        assert not given.keys() & {"SECRET_KEY", "SEALING_KEYS", "DATABASE_URL"}
        assert {given[f"{secret}_FILE"] for secret in ("SECRET_KEY", "SEALING_KEYS", "DATABASE_URL")} == {
            f"/run/secrets/{secret}" for secret in services[name]["secrets"]
        }


def test_only_the_proxy_is_reached_from_outside(services: dict[str, Any]):
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    assert described()["networks"]["inside"] == {"internal": True}
    assert services["db"]["networks"] == services["redis"]["networks"] == ["inside"]
    assert "inside" not in services["proxy"]["networks"]
    assert services["web"]["environment"]["TRUSTED_PROXIES"] == "1"


def test_the_image_takes_in_the_code_and_nothing_else():
    image = (DOCKER / "Dockerfile").read_text()
    copied = {
        source
        for line in re.findall(r"^COPY (?!--from)(.+)$", image, re.MULTILINE)
        for source in line.split()[:-1]
    }
    allowed = re.findall(r"^!(.+)$", (DOCKER / "Dockerfile.dockerignore").read_text(), re.MULTILINE)

    assert copied == set(allowed)
    assert all((ROOT / source).exists() for source in copied)
    for package in ("accounts", "config", "games", "templates", "manage.py"):
        assert package in copied


def test_the_secrets_are_made_once_and_are_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def make() -> dict[str, str]:
        subprocess.run(["sh", DOCKER / "secrets.sh", tmp_path / "secrets"], check=True, capture_output=True)
        return {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}

    first, second = make(), make()

    assert first == second
    assert {f"./secrets/{name}" for name in first} == {
        secret["file"] for secret in described()["secrets"].values()
    }
    Fernet(first["sealing_keys"])
    monkeypatch.setenv("SECRET_KEY_FILE", str(tmp_path / "secrets/secret_key"))
    assert len(env.secret("SECRET_KEY")) >= 50
    assert f":{first['database_password']}@db:5432/longbluff" in first["database_url"]
    assert stat.S_IMODE((tmp_path / "secrets").stat().st_mode) == 0o700
    assert "/secrets/" in (ROOT / ".gitignore").read_text().splitlines()


@pytest.mark.parametrize(
    ("answer", "wanted", "code"), [({"sweep": "ok"}, "ok", 0), ({"sweep": "late"}, "ok", 1), ({}, "ok", 1)]
)
def test_the_probe_reads_what_an_answer_says(tmp_path: Path, answer: dict[str, str], wanted: str, code: int):
    (tmp_path / "readyz").write_text(json.dumps(answer))
    python = shutil.which("python3", path=os.defpath) or "python3"

    done = subprocess.run(
        [python, DOCKER / "probe.py", (tmp_path / "readyz").as_uri(), f"sweep={wanted}"], capture_output=True
    )

    assert done.returncode == code
