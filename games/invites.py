"""Invites to private tables: signed by the site, so that nothing has to be kept of them."""

from django.core.signing import BadSignature, Signer

_SALT = "longbluff.invite"


def invite_to(table_id: str) -> str:
    """The invite to a table; the same every time, until the site's secret key goes."""
    return Signer(salt=_SALT).sign(table_id).partition(":")[2]


def opens(invite: str, table_id: str) -> bool:
    """Does this invite let its bearer sit down at the table?"""
    try:
        Signer(salt=_SALT).unsign(f"{table_id}:{invite}")
    except (BadSignature, UnicodeError):
        return False
    return True
