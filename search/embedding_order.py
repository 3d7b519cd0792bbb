"""Which passages get their vectors first, as far as it hangs on what the search knows: those that most others cite."""

from __future__ import annotations

from django.db.models import F, IntegerField, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce


def most_cited_first() -> Combinable:
    """Rank a chunk by how many provisions cite its own, most first; all are equal before citations are linked."""
    citing = F("version__article__citation_count__citing")
    return Coalesce(Value(0) - citing, Value(0), output_field=IntegerField())
