"""Django's admin with the site of this product in it."""

from django.contrib.admin.apps import AdminConfig


class FundamentoAdminConfig(AdminConfig):
    """The admin, whose front page says how the corpus stands."""

    default_site = "search.admin_site.FundamentoAdmin"
