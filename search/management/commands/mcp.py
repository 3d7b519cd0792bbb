"""mcp: the tools and resources of MCP over standard input and output, for a program that starts this one."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.core.management.base import BaseCommand

from search.mcp_tools import make_server

THREADS = 4


class Command(BaseCommand):
    """Answer one MCP client until it closes the input."""

    help = "Answer an MCP client over standard input and output; over HTTP, `serve` does so at /mcp."

    def handle(self, *args: Any, **options: Any) -> None:
        """Serve until the input ends."""
        with ThreadPoolExecutor(THREADS, thread_name_prefix="mcp") as pool:
            asyncio.run(make_server(pool).run_stdio_async())
