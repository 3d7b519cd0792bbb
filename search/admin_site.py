"""The admin as a site: its names, and a front page that says how the corpus stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.admin import AdminSite
from django.utils.translation import gettext_lazy as _

from search import dashboard

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.template.response import TemplateResponse


class FundamentoAdmin(AdminSite):
    """The admin of the corpus."""

    site_title = "Fundamento"
    site_header = _("Administración de Fundamento")
    index_title = _("Cómo está el corpus")

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """Show how the corpus stands above the list of tables, to whoever may look at laws."""
        shown: dict[str, Any] = {}
        if request.user.has_perm("corpus.view_law"):
            may_read_questions = request.user.has_perm("search.view_querylog")
            shown = {
                "dashboard": dashboard.look(may_read_questions=may_read_questions),
                "may_ask": request.user.has_perm("corpus.add_job"),
            }
        return super().index(request, {**shown, **(extra_context or {})})
