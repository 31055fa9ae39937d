"""People at a browser, without one: a client whose session remembers the guest, as the site does."""

from django.test import Client

from accounts.sessions import _GUEST
from tests.people import Person


def a_browser(person: Person | None = None, *, csrf: bool = False) -> Client:
    """A browser in which this person played before, or a new one."""
    client = Client(enforce_csrf_checks=csrf)
    if person is not None and person.id:
        session = client.session
        session[_GUEST] = person.id
        session.save()
    return client
