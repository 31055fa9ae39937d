"""How passwords are kept."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class SmallArgon2Hasher(Argon2PasswordHasher):
    """Argon2id with 19 MiB a password, as OWASP recommends: with 100 a few clients fill a machine."""

    memory_cost = 19 * 1024
    time_cost = 2
    parallelism = 1
