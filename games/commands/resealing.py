"""Changing the key under which secrets lie: every sealed value is sealed anew, a batch at a time."""

from collections.abc import Mapping

from django.db import models, transaction

from games import sealing
from games.models import Answer, Hand, Table

SEALED: Mapping[str, tuple[type[models.Model], str]] = {
    "chains": (Table, "sealed_chain"),
    "hands": (Hand, "sealed"),
    "answers": (Answer, "sealed"),
}


def reseal_all(*, batch: int) -> dict[str, int]:
    """Seal every secret under the first key; how many of each. May be stopped and run again at any time.

    Raises `CannotOpen` at the first value that none of the keys opens; what was done before stays done.
    """
    return {what: _reseal(model, column, batch) for what, (model, column) in SEALED.items()}


def _reseal(model: type[models.Model], column: str, batch: int) -> int:
    done, last = 0, None
    while True:
        rows = model._default_manager.exclude(**{column: ""}).order_by("pk")
        if last is not None:
            rows = rows.filter(pk__gt=last)
        with transaction.atomic():
            chunk = list(rows.select_for_update().only("pk", column)[:batch])
            for row in chunk:
                setattr(row, column, sealing.reseal(getattr(row, column)))
            model._default_manager.bulk_update(chunk, [column])
        if not chunk:
            return done
        done, last = done + len(chunk), chunk[-1].pk
