"""What DATABASE_URL may say, and what is said of a server that will not do."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from config.database import SHAPE, database_settings
from config.postgres import DatabaseUnusable
from config.postgres.fitness import unfit_pgvector, unfit_server

ROOT = Path(__file__).parent.parent


def settings_of(url: str) -> dict[str, str]:
    given = database_settings(url, Path("data"))
    return {name.lower(): given[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT") if given[name]}


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "postgresql://ana:s%40fe%2F1@db.example:6543/laws",
            {"name": "laws", "user": "ana", "password": "s@fe/1", "host": "db.example", "port": "6543"},
        ),
        ("postgres://db.example/laws", {"name": "laws", "host": "db.example"}),
        ("postgresql://ana@[::1]/laws", {"name": "laws", "user": "ana", "host": "::1"}),
        ("postgresql:///laws?host=/run/Postgres", {"name": "laws", "host": "/run/Postgres"}),
        ("postgresql://%2Frun%2FPostgres/laws", {"name": "laws", "host": "/run/Postgres"}),
        ("postgresql://a,b:1/laws", {"name": "laws", "host": "a,b", "port": ",1"}),
    ],
)
def test_address_is_read_as_libpq_reads_it(url, expected):
    assert settings_of(url) == expected


def test_parameters_of_the_address_reach_the_driver():
    options = database_settings("postgresql://db.example/laws?sslmode=verify-full", Path("data"))["OPTIONS"]
    assert options["sslmode"] == "verify-full"


def test_without_an_address_the_server_is_embedded():
    given = database_settings("", Path("data"))
    assert (given["EMBEDDED_IN"], given["NAME"]) == ("data", "fundamento")


@pytest.mark.parametrize(
    "url",
    ["mysql://ana:secret@db.example/laws", "postgresql://ana:secret@db.example", "postgresql://ana:secret@[::/laws",
     "postgresql://ana:secret@db.example/laws?colour=red", "laws"],
)  # fmt: skip
def test_address_of_another_shape_is_refused_without_repeating_it(url):
    with pytest.raises(DatabaseUnusable) as refused:
        database_settings(url, Path("data"))
    assert str(refused.value) == SHAPE


@pytest.mark.parametrize(
    ("version", "refused"), [(140012, "version 14: 15 or newer is needed"), (150000, None), (180004, None)]
)
def test_server_must_be_new_enough(version, refused):
    assert unfit_server(version) == refused


@pytest.mark.parametrize(
    ("available", "installed", "refused"),
    [
        (None, None, "no pgvector: install the package of pgvector 0.8 or newer on it"),
        ("0.7.4", None, "pgvector 0.7.4: 0.8 or newer is needed on it"),
        ("0.8.5", "0.7.4", "pgvector 0.7.4 in this database: run ALTER EXTENSION vector UPDATE in it"),
        ("0.8.0", None, None),
        ("0.10.1", "0.10.1", None),
    ],
)
def test_pgvector_must_be_there_and_new_enough(available, installed, refused):
    assert unfit_pgvector(available, installed) == refused


def run(command: list[str], url: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings"}
    return subprocess.run(
        [sys.executable, "manage.py", *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("command", [["migrate"], ["serve", "--port", "0"], ["check", "--database", "default"]])
def test_unreachable_server_is_one_sentence_and_exit_code_1(command):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        done = run(command, f"postgresql://ana:secret@127.0.0.1:{port}/laws")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("Error: the PostgreSQL server that DATABASE_URL names cannot be used: ")
    assert f'"127.0.0.1", port {port} failed: Connection refused' in done.stderr
    assert "secret" not in done.stderr
