"""The mark that names the section of the rulebook a test is about."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(*sections): the sections of the rulebook that the test is about")
