"""Where a request comes from, and where it went."""

import ipaddress

from django.conf import settings
from django.http import HttpRequest


def address_of(request: HttpRequest) -> str | None:
    """The address of a client, as our own proxies tell it and nobody else; None where there is none."""
    forwarded = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    proxies = settings.TRUSTED_PROXIES
    told = forwarded[-proxies] if 0 < proxies <= len(forwarded) else request.META.get("REMOTE_ADDR", "")
    try:
        return str(ipaddress.ip_address(told))
    except ValueError:
        return None


def has_a_name(request: HttpRequest) -> bool:
    """Was the site asked for by a name, and not by the numbers of its address?"""
    host = request.get_host()
    return not (host.startswith("[") or host.partition(":")[0].replace(".", "").isdecimal())
