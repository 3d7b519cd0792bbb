"""Fuzzes the API from its OpenAPI document: no 5xx, no undocumented status, every body as its schema says.

FUZZ_EXAMPLES=500 asks each operation so many times, each time anew; for a long run by hand.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import override_settings
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from config.wsgi import application
from search.api import api
from tests.api_client import issue

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from schemathesis import Case

pytestmark = [pytest.mark.usefixtures("live"), pytest.mark.django_db]

ASKED = os.environ.get("FUZZ_EXAMPLES")
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    unsupported_method,
]


schema = schemathesis.openapi.from_dict(json.loads(json.dumps(api.get_openapi_schema())))
schema.app = application


@pytest.fixture(autouse=True)
def _connection_kept() -> Iterator[None]:
    """Keep the test's transaction: Django closes connections around requests, except for its own test client."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture
def secret(tmp_path: Path) -> Iterator[str]:
    """A key for everything, since without one there would be nothing to see; uploads go nowhere."""
    with override_settings(MEDIA_ROOT=tmp_path):
        yield issue("fuzzing", ["read", "verify", "manage"])[1]


@schema.parametrize()
@settings(
    max_examples=int(ASKED or 25),
    deadline=None,
    derandomize=not ASKED,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_every_operation_does_what_the_document_says(case: Case[Any], secret: str) -> None:
    headers = {"Accept-Encoding": "identity", "Authorization": f"Bearer {secret}"}
    case.call_and_validate(checks=CHECKS, headers=headers)
