"""Scenes of the rule tests are scenes for agents too, and bring a mark of their own."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(*sections): the sections of the rules that a test is about")
