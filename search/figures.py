"""Numbers as readers of a language write them."""

from __future__ import annotations

from django.utils.formats import number_format

MOST_DECIMALS = 6


def figure(value: float, decimals: int = MOST_DECIMALS) -> str:
    """Write a number in the reader's language, with the decimals that it has and `decimals` at most.

    >>> figure(1.0), figure(0.25), figure(2 / 3, 2), figure(0.0), figure(100)
    ('1', '0,25', '0,67', '0', '100')
    """
    whole, _, rest = f"{value:.{decimals}f}".partition(".")
    rest = rest.rstrip("0")
    return number_format(f"{whole}.{rest}" if rest else whole, use_l10n=True)
