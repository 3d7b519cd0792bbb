"""What DATABASE_URL may say, and what is said of a server that will not do."""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest
from django.conf import settings as django_settings
from django.db import DatabaseError, ProgrammingError, connection, transaction

from config import embedded_placement
from config.database import SHAPE, database_settings
from config.embedded_keeper import Place, start
from config.postgres import DatabaseUnusable
from config.postgres.fitness import failure, unfit_pgvector, unfit_server
from tests.conftest import ROOT, environment_of, open_folder

if TYPE_CHECKING:
    from collections.abc import Iterator


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
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT, env=environment_of(django_settings.DATA_DIR) | {"DATABASE_URL": url},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


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


@contextmanager
def given_server(programs: str = "") -> Iterator[str]:
    """Run a server that wants passwords, with databases for every case, a superuser `boss` and a plain `clerk`."""
    with open_folder() as folder, tempfile.NamedTemporaryFile("w") as password:
        data = folder / "data"
        ours = embedded_placement.place(folder)
        place = Place(programs or ours.programs, str(data), str(data), ours.user)
        embedded_placement.make_folder(data, place.user)
        password.write("secret")
        password.flush()
        Path(password.name).chmod(0o644)
        assert not place.run(
            "initdb",
            "-D",
            str(data),
            "-U",
            "boss",
            "--auth=scram-sha-256",
            f"--pwfile={password.name}",
            "--encoding=UTF8",
        )
        server = start(place, {"listen_addresses": "", "unix_socket_directories": str(data)})
        assert server
        with server:
            try:
                with psycopg.connect(
                    host=str(data), user="boss", password="secret", dbname="postgres", autocommit=True
                ) as database:
                    database.execute("CREATE DATABASE laws")
                    database.execute("CREATE DATABASE used")
                    database.execute("CREATE DATABASE narrow ENCODING 'SQL_ASCII' TEMPLATE template0")
                    database.execute("CREATE ROLE clerk LOGIN PASSWORD 'secret'")
                yield str(data)
            finally:
                place.stop()


@pytest.fixture(scope="module")
def new_server() -> Iterator[str]:
    """The folder of the socket of a server with pgvector: the wheel's, run as somebody else's."""
    with given_server() as folder:
        yield folder


@pytest.fixture(scope="module")
def plain_server() -> Iterator[str]:
    """The folder of the socket of a server without pgvector: the system's."""
    programs = [
        path.parent
        for path in Path("/usr/lib/postgresql").glob("*/bin/postgres")
        if not list(Path("/usr/share/postgresql").glob("*/extension/vector.control"))
    ]
    if not programs:
        pytest.skip("needs a PostgreSQL of the system's without pgvector")
    with given_server(str(programs[0])) as folder:
        yield folder


def test_clerk_is_told_to_have_the_extension_made(new_server):
    done = run(["migrate"], f"postgresql://clerk:secret@/laws?host={new_server}")
    assert (done.returncode, done.stderr) == (
        1,
        "Error: database 'laws' has no extension vector and user 'clerk' may not make it:"
        " as a superuser, run CREATE EXTENSION vector in it.\n",
    )


def test_wrong_password_is_one_sentence(new_server):
    done = run(["migrate"], f"postgresql://boss:wrong@/laws?host={new_server}")
    assert done.returncode == 1
    assert done.stderr.endswith('FATAL:  password authentication failed for user "boss".\n')
    assert done.stderr.count("\n") == 1


def test_database_that_cannot_hold_every_text_is_refused(new_server):
    done = run(["migrate"], f"postgresql://boss:secret@/narrow?host={new_server}")
    assert (done.returncode, done.stderr) == (
        1,
        "Error: database 'narrow' is encoded in SQL_ASCII, which cannot hold every text:"
        " make one with ENCODING 'UTF8'.\n",
    )


def test_given_server_is_used_as_it_is(new_server):
    url = f"postgresql://boss:secret@/used?host={new_server}"
    assert [run(command, url).stderr for command in (["migrate"], ["check", "--database", "default"])] == ["", ""]


def test_server_without_pgvector_is_one_sentence(plain_server):
    done = run(["migrate"], f"postgresql://boss:secret@/laws?host={plain_server}")
    assert (done.returncode, done.stderr) == (
        1,
        "Error: the PostgreSQL server that DATABASE_URL names has no pgvector: install the package of pgvector 0.8"
        " or newer on it.\n",
    )


@pytest.mark.django_db
def test_database_without_the_tables_is_told_in_one_sentence():
    with pytest.raises(ProgrammingError) as failed, transaction.atomic():
        connection.cursor().execute("SELECT 1 FROM corpus_no_such_table")
    assert "run 'manage.py migrate'" in failure(failed.value)


@pytest.mark.django_db(transaction=True)
def test_server_that_went_away_is_told_in_one_sentence_and_a_wrong_statement_is_not():
    with pytest.raises(DatabaseError) as failed, connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    connection.close()
    assert failure(failed.value).startswith("the database does not answer: ")
    with pytest.raises(DatabaseError) as wrong, transaction.atomic():
        connection.cursor().execute("SELECT 1 / 0")
    assert failure(wrong.value) == ""
