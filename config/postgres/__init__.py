"""Django database backend: PostgreSQL that starts the embedded server when it is the one to use."""
