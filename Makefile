# Everything a person or CI needs: `make run`, `make test`, `make check`. See README.md.

PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin
LOCK := $(BIN)/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras --no-header \
	--no-emit-index-url --no-emit-trusted-host --no-emit-find-links

.PHONY: setup run test check audit format lock messages layout

setup: .venv/runtime.done

run: setup
	exec $(BIN)/python manage.py serve --examples --port $(PORT)

test: .venv/dev.done
	exec $(BIN)/python -m pytest

check: .venv/dev.done
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy .
	$(BIN)/lint-imports
	find templates -name '*.html' -exec $(BIN)/djade --check {} +
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python manage.py check --database default --fail-level WARNING
	$(BIN)/python .ci/audit.py requirements.txt
	$(BIN)/python -m pytest

# Known faults in what is pinned, what tests and tools use too; says so where nobody can be asked.
audit: .venv/dev.done
	$(BIN)/python .ci/audit.py requirements.txt requirements-dev.txt

format: .venv/dev.done
	$(BIN)/ruff format
	$(BIN)/ruff check --fix
	find templates -name '*.html' -exec $(BIN)/djade {} +

# The pinned versions and their hashes; run after a change to pyproject.toml.
lock: .venv/dev.done
	$(LOCK) --output-file=requirements.txt pyproject.toml
	$(LOCK) --extra=dev --constraint=requirements.txt --output-file=requirements-dev.txt pyproject.toml

# The catalogues of locale/; needs GNU gettext.
messages: .venv/dev.done
	$(BIN)/python manage.py makemessages --all --no-obsolete --ignore=.venv --ignore=var --ignore=tests
	$(BIN)/python manage.py compilemessages --ignore=.venv --ignore=var

# The README's list of files.
layout: .venv/dev.done
	DJANGO_SETTINGS_MODULE=config.test_settings $(BIN)/python -m tests.test_readme

.venv/runtime.done: requirements.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements.txt
	touch $@

.venv/dev.done: .venv/runtime.done requirements-dev.txt
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements-dev.txt
	touch $@
