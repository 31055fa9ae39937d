"""Whether a passkey can be made where somebody looks at the site."""

from django import template
from django.http import HttpRequest

from accounts.addresses import has_a_name

register = template.Library()


@register.filter
def may_have_passkeys(request: HttpRequest) -> bool:
    """Is this address one that a passkey can belong to? Browsers make none for numbers."""
    return has_a_name(request)
