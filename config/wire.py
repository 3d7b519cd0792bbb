"""Reads requests off the wire as uvicorn does, and passes on what its parser would refuse in no words of ours."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

# The parser reads no address of 65,536 bytes.
LONGEST_ADDRESS = 60_000
# Where a request's scope and its environment tell that it is refused.
REFUSED = "fundamento.refused"


class Refusal(NamedTuple):
    """A stable code and the limit that was passed, in bytes."""

    code: str
    limit: int


class Wire(HttpToolsProtocol):
    """Uvicorn's protocol; ignores a wish to upgrade without a word, as a server may (RFC 9110, 7.8)."""

    def on_url(self, url: bytes) -> None:
        """Take a piece of the address, and no more pieces once there are too many."""
        if len(self.url) <= LONGEST_ADDRESS:
            super().on_url(url)

    def on_headers_complete(self) -> None:
        """Go on to the application, which is told if the address is too long and sees only where it leads."""
        if len(self.url) > LONGEST_ADDRESS:
            self.url = self.url.partition(b"?")[0][:LONGEST_ADDRESS]
            cast("dict[str, Any]", self.scope)[REFUSED] = Refusal("address_too_long", LONGEST_ADDRESS)
        super().on_headers_complete()

    def _unsupported_upgrade_warning(self) -> None:
        pass
