"""The database backend: Django's own, able to start the embedded server and to say why a given one will not do."""


class DatabaseUnusable(RuntimeError):
    """No database can be used; the message says in one sentence why, and what to do."""
