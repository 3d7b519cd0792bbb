"""Who asks the API and what they may: keys, their scopes and budgets, and what is open to everybody."""

from __future__ import annotations

import hashlib
import ipaddress
import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from search.budgets import Spent, spend
from search.models import ApiKey

if TYPE_CHECKING:
    from datetime import datetime

MARK = "fnd_"
"""What every key begins with, so that scanners of leaked secrets can know it."""
SHOWN_CHARACTERS = 12
_SECRET_BYTES = 32
_USE_NOTED_EVERY = timedelta(minutes=10)
_UNLIMITED = 0


class Refusal(Exception):
    """A caller that is not let in: `status` is HTTP's, `code` is stable."""

    status = 401
    code = "key_required"

    def __init__(self, detail: str, *, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.headers = headers or {}


class KeyRequired(Refusal):
    """What was asked for takes a key."""


class KeyInvalid(Refusal):
    """There is no such key, or no longer."""

    code = "key_invalid"


class ScopeMissing(Refusal):
    """The key is good, but not for this."""

    status = 403
    code = "scope_missing"


class BudgetSpent(Refusal):
    """The caller has asked too much of late."""

    status = 429
    code = "budget_spent"


@dataclass(frozen=True)
class Caller:
    """Who asks: the holder of a key, or anybody at an address."""

    address: str
    key: ApiKey | None = None

    @property
    def scopes(self) -> frozenset[str]:
        """What the caller may do."""
        return frozenset(self.key.scopes) if self.key else frozenset(settings.ANONYMOUS_SCOPES) - {ApiKey.Scope.MANAGE}

    def require(self, scope: str) -> None:
        """Raise a `Refusal` unless the caller may do what `scope` is needed for."""
        if scope in self.scopes:
            return
        if self.key is None:
            detail = _("Hace falta una clave: Authorization: Bearer CLAVE.")
            raise KeyRequired(detail, headers={"WWW-Authenticate": 'Bearer realm="Fundamento"'})
        detail = _("La clave no tiene el permiso «%(scope)s».") % {"scope": scope}
        challenge = f'Bearer realm="Fundamento", error="insufficient_scope", scope="{scope}"'
        raise ScopeMissing(detail, headers={"WWW-Authenticate": challenge})

    def spend(self) -> Spent | None:
        """Count a request of the caller; None where there is no limit. Raise `BudgetSpent` for one too many."""
        if self.key:
            limit = self.key.requests_per_minute
            limit = settings.KEY_PER_MINUTE if limit is None else limit
            return _spend("key", str(self.key.pk), limit)
        return _spend("address", network_of(self.address), settings.ANONYMOUS_PER_MINUTE)


def renew(key: ApiKey) -> str:
    """Give `key` a new secret and save it; the one it had before, if any, is void."""
    secret = MARK + secrets.token_urlsafe(_SECRET_BYTES)
    key.digest, key.prefix = digest_of(secret), secret[:SHOWN_CHARACTERS]
    key.save()
    return secret


def digest_of(secret: str) -> str:
    """Give what is held of a key: its SHA-256.

    A key is 256 random bits. No search finds it from its digest, which is all that slow, salted hashes are for.
    """
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def identify(authorization: str, address: str) -> Caller:
    """Say who asks by the `Authorization` header; raise `KeyInvalid` for a key that is none, counted as a request."""
    if not authorization:
        return Caller(address)
    scheme, _space, secret = authorization.partition(" ")
    key = ApiKey.objects.filter(digest=digest_of(secret.strip())).first() if scheme.lower() == "bearer" else None
    now = timezone.now()
    if key is None or not key.is_valid(now):
        _spend("address", network_of(address), settings.ANONYMOUS_PER_MINUTE)
        detail = _("La clave no existe, ha caducado o se ha revocado.")
        raise KeyInvalid(detail, headers={"WWW-Authenticate": 'Bearer realm="Fundamento", error="invalid_token"'})
    _note_use(key, now)
    return Caller(address, key)


def admit(authorization: str, address: str, scope: str) -> tuple[Caller, Spent | None]:
    """Let a caller in who may do what `scope` is needed for and has not asked too much; raise a `Refusal` if not."""
    caller = identify(authorization, address)
    told = caller.spend()
    caller.require(scope)
    return caller, told


def network_of(address: str) -> str:
    """Give what one household or firm has: an IPv4 address, or the /64 of an IPv6 one.

    >>> network_of("203.0.113.9"), network_of("2001:db8:1:2:3::9"), network_of("::ffff:203.0.113.9"), network_of("?")
    ('203.0.113.9', '2001:db8:1:2::/64', '203.0.113.9', '')
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(parsed, ipaddress.IPv6Address):
        mapped = parsed.ipv4_mapped
        return str(mapped) if mapped else str(ipaddress.ip_network(f"{parsed}/64", strict=False))
    return str(parsed)


def _spend(name: str, who: str, limit: int) -> Spent | None:
    if limit == _UNLIMITED:
        return None
    told = spend(name, who, limit)
    if told.wait:
        detail = _("Más de %(limit)d peticiones por minuto: espere %(seconds)d s.") % {
            "limit": limit,
            "seconds": told.wait,
        }
        raise BudgetSpent(detail, headers=told.headers)
    return told


def _note_use(key: ApiKey, now: datetime) -> None:
    """Note that the key is in use, once in a while, so that reading does not mean writing."""
    if key.last_used_at is None or now - key.last_used_at >= _USE_NOTED_EVERY:
        ApiKey.objects.filter(pk=key.pk).update(last_used_at=now)
