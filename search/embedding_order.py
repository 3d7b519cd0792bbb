"""Which passages may wait for their vectors, as far as it hangs on what the search knows: those that nothing cites."""

from __future__ import annotations

from django.db.models import Case, Value, When
from django.db.models.expressions import Combinable


def uncited() -> Combinable:
    """Give 1 for a chunk of a provision that no other one cites, else 0; 1 for all before citations are linked."""
    is_cited = {"version__article__citation_count__citing__gt": 0}
    return Case(When(**is_cited, then=Value(0)), default=Value(1))
