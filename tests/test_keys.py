"""Keys, scopes and budgets: who is let in, who has asked too much, and what the admin tells and keeps."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from search.budgets import spend, spent
from search.keys import digest_of
from search.login import FAILURES_OF_AN_ADDRESS
from search.models import ApiKey
from tests.api_client import V1, issue

if TYPE_CHECKING:
    from django.contrib.auth.models import User

pytestmark = [pytest.mark.usefixtures("live"), pytest.mark.django_db]

READ, VERIFY = f"{V1}/laws?limit=1", f"{V1}/citations/extract"


def ask(secret: str | None = None, path: str = READ, **more: Any) -> Any:
    headers = {"authorization": f"Bearer {secret}"} if secret else {}
    if path == VERIFY:
        return Client().post(path, {"text": "art. 1"}, "application/json", headers=headers, **more)
    return Client().get(path, headers=headers, **more)


def refusal(response: Any) -> tuple[int, str]:
    assert response.json()["detail"]
    return response.status_code, response.json()["code"]


def test_a_key_is_held_as_its_hash_alone() -> None:
    key, secret = issue("un despacho", ["read"])
    stored = ApiKey.objects.values().get(pk=key.pk)
    assert secret.startswith("fnd_")
    assert len(secret) > 40
    assert stored["digest"] == digest_of(secret) != secret
    assert all(secret not in str(value) for value in stored.values())
    assert stored["prefix"] == secret[:12]


@pytest.mark.parametrize(
    ("scopes", "read", "verify"),
    [(["read"], 200, 403), (["verify"], 403, 200), (["read", "verify"], 200, 200), (["manage"], 403, 403)],
)
def test_a_key_is_good_for_its_scopes_only(scopes: list[str], read: int, verify: int) -> None:
    _key, secret = issue("prueba", scopes)
    assert (ask(secret).status_code, ask(secret, VERIFY).status_code) == (read, verify)
    if read == 403:
        refused = ask(secret)
        assert refusal(refused) == (403, "scope_missing")
        assert 'error="insufficient_scope"' in refused["WWW-Authenticate"]


@pytest.mark.parametrize("state", ["unknown", "revoked", "expired", "basic", "nothing", "endless", "not ascii"])
def test_a_bad_key_is_refused_even_where_none_is_needed(state: str) -> None:
    key, secret = issue("prueba", ["read"])
    now = timezone.now()
    if state == "revoked":
        ApiKey.objects.filter(pk=key.pk).update(revoked_at=now)
    if state == "expired":
        ApiKey.objects.filter(pk=key.pk).update(expires_at=now - timedelta(seconds=1))
    given = {
        "unknown": "Bearer fnd_nobody", "basic": f"Basic {secret}", "nothing": "Bearer",
        "endless": "Bearer " + "a" * 60_000,
        "not ascii": "Bearer \xf1\ud800",
    }.get(state, f"Bearer {secret}")  # fmt: skip
    response = Client().get(READ, headers={"authorization": given})
    assert refusal(response) == (401, "key_invalid")
    assert response["WWW-Authenticate"].startswith("Bearer ")
    assert ask().status_code == 200


def test_reading_without_a_key_can_be_switched_off() -> None:
    _key, secret = issue("prueba", ["read"])
    with override_settings(ANONYMOUS_SCOPES=[]):
        refused = ask()
        assert refusal(refused) == (401, "key_required")
        assert refused["WWW-Authenticate"] == 'Bearer realm="Fundamento"'
        assert ask(secret).status_code == 200
        assert Client().get(f"{V1}/health").status_code == 200
        assert Client().get(f"{V1}/openapi.json").status_code == 200
        assert Client().get("/").status_code == 200
    with override_settings(ANONYMOUS_SCOPES=["read"]):
        assert (ask().status_code, ask(path=VERIFY).status_code) == (200, 401)


@override_settings(ANONYMOUS_PER_MINUTE=3, KEY_PER_MINUTE=5)
def test_br_70_each_key_and_each_address_has_its_own_budget() -> None:
    (_one, first), (_two, second) = issue("uno", ["read"]), issue("dos", ["read"], requests_per_minute=2)
    assert [ask().status_code for _ in range(4)] == [200, 200, 200, 429]
    assert ask(REMOTE_ADDR="203.0.113.9").status_code == 200
    assert [ask(first).status_code for _ in range(6)] == [200] * 5 + [429]
    assert [ask(second).status_code for _ in range(3)] == [200, 200, 429]
    assert ask(VERIFY).status_code in (401, 429)


@override_settings(ANONYMOUS_PER_MINUTE=2)
def test_br_70_whoever_asks_too_much_is_told_when_to_come_back() -> None:
    first, second, refused = ask(), ask(), ask()
    assert [response["RateLimit-Policy"] for response in (first, second, refused)] == ['"address";q=2;w=60'] * 3
    assert [response["RateLimit"].split(";")[1] for response in (first, second, refused)] == ["r=1", "r=0", "r=0"]
    assert refusal(refused) == (429, "budget_spent")
    assert 1 <= int(refused["Retry-After"]) <= 90
    assert "Retry-After" not in first


@override_settings(ANONYMOUS_PER_MINUTE=2)
@pytest.mark.parametrize(
    "path", [f"{V1}/search?q=recargo", f"{V1}/citations?q=art.+11+Ley+990/2019", f"{V1}/context?q=x"]
)
def test_br_70_every_question_counts(path: str) -> None:
    statuses = [Client().get(path).status_code for _ in range(3)]
    assert statuses[2] == 429
    assert 429 not in statuses[:2]


@override_settings(ANONYMOUS_PER_MINUTE=1)
def test_br_70_pages_and_health_are_open_to_who_asked_too_much() -> None:
    assert [ask().status_code for _ in range(2)] == [200, 429]
    for path in ("/", "/?q=recargo", "/ley-990-2019:art-11", f"{V1}/health", f"{V1}/docs"):
        assert Client().get(path).status_code == 200


@override_settings(ANONYMOUS_PER_MINUTE=2)
def test_guessing_keys_spends_the_budget_of_the_address() -> None:
    assert [ask("fnd_guess").status_code for _ in range(3)] == [401, 401, 429]
    assert ask().status_code == 429


def test_a_budget_slides() -> None:
    start = 6_000_000.0
    told = [spend("test", "a", 10, now=start + second).wait for second in range(10)]
    refused = spend("test", "a", 10, now=start + 30)
    assert (told, refused.remaining) == ([0] * 10, 0)
    assert spend("test", "a", 10, now=start + 30 + refused.wait - 2).wait > 0
    assert spend("test", "a", 10, now=start + 30 + refused.wait).wait == 0
    assert spent("test", "a", now=start + 200) == 0


def test_use_of_a_key_is_noted_now_and_then() -> None:
    key, secret = issue("prueba", ["read"])
    ask(secret)
    noted = ApiKey.objects.get(pk=key.pk).last_used_at
    ask(secret)
    assert ApiKey.objects.get(pk=key.pk).last_used_at == noted is not None


def test_a_key_is_issued_in_the_admin_and_shown_once(admin_client: Client) -> None:
    form = {"name": "Asesoría", "scopes": ["read", "verify"], "requests_per_minute": ""}
    shown = admin_client.post(reverse("admin:search_apikey_add"), form)
    key = ApiKey.objects.get(name="Asesoría")
    secret = next(word for word in shown.content.decode().replace("<", " ").replace(">", " ").split() if "fnd_" in word)
    assert (shown.status_code, key.digest, key.scopes) == (200, digest_of(secret), ["read", "verify"])
    assert "no-store" in shown["Cache-Control"]
    assert ask(secret).status_code == 200
    for path in (reverse("admin:search_apikey_changelist"), reverse("admin:search_apikey_change", args=[key.pk])):
        page = admin_client.get(path)
        assert page.status_code == 200
        assert secret not in page.content.decode()


def test_a_key_is_revoked_and_renewed_in_the_admin(admin_client: Client) -> None:
    (kept, secret), (lost, other) = issue("una", ["read"]), issue("otra", ["read"])
    path = reverse("admin:search_apikey_changelist")
    admin_client.post(path, {"action": "revoke", "_selected_action": [lost.pk]})
    assert (ask(secret).status_code, ask(other).status_code) == (200, 401)
    shown = admin_client.post(path, {"action": "renew_secret", "_selected_action": [kept.pk, lost.pk]})
    kept.refresh_from_db()
    assert ask(secret).status_code == 401
    assert shown.content.decode().count("Authorization: Bearer fnd_") == 1
    assert admin_client.get(reverse("admin:search_apikey_delete", args=[kept.pk])).status_code == 403


def test_the_login_takes_no_endless_guesses(django_user_model: type[User]) -> None:
    django_user_model.objects.create_superuser("jefa", "", "la buena")
    path = reverse("admin:login")

    def try_one(password: str, address: str = "203.0.113.9") -> Any:
        return Client().post(path, {"username": "jefa", "password": password}, REMOTE_ADDR=address)

    for number in range(FAILURES_OF_AN_ADDRESS):
        assert "Demasiados intentos" not in try_one(f"mala {number}").content.decode()
    assert "Demasiados intentos" in try_one("la buena").content.decode()
    assert try_one("la buena", "203.0.113.10").status_code == 302
