"""What every test may count on."""

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def _nobody_is_throttled_by_the_test_before() -> None:
    cache.clear()
