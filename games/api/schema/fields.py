"""The small parts that the documents of the API are made of: what one value may be."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.engine.dice import ROUND_LIMIT, SEED_LIMIT
from games.engine.rules import OPTIONS, WholeNumber


def _highest(option: str) -> int:
    number = OPTIONS[option]
    if not isinstance(number, WholeNumber):
        raise TypeError(f"{option} is no number")
    return number.highest


FACES = 6
MOST_SEATS = _highest("seats")
MOST_DICE_EACH = _highest("starting_dice")
MOST_DICE = MOST_SEATS * MOST_DICE_EACH
MOST_PIPS = MOST_DICE * FACES

SEAT = {"type": "integer", "minimum": 0, "maximum": MOST_SEATS - 1}
ROUND = {"type": "integer", "minimum": 1, "maximum": ROUND_LIMIT}


def _whole(lowest: int, highest: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": lowest, "maximum": highest}


def _by_seat(value: dict[str, Any]) -> dict[str, Any]:
    seats = {"type": "string", "enum": [str(seat) for seat in range(MOST_SEATS)]}
    return {"type": "object", "propertyNames": seats, "additionalProperties": value}


@extend_schema_field({"type": "string", "pattern": "^[^|]+$"})
class Id(serializers.CharField):
    """An opaque id, which never holds a `|`."""


@extend_schema_field(
    {
        "type": "string",
        "format": "date-time",
        "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z$",
    }
)
class Time(serializers.CharField):
    """A time in UTC, which ends in `Z`."""


@extend_schema_field({"type": "string", "pattern": "^[0-9a-f]{64}$"})
class Hex(serializers.CharField):
    """32 bytes."""


@extend_schema_field({"type": "string", "maxLength": SEED_LIMIT, "pattern": r"^[^|\u0000]*$"})
class Seed(serializers.CharField):
    """A client seed."""


@extend_schema_field({"type": "integer", "minimum": 1})
class Version(serializers.IntegerField):
    """The version of a table."""


@extend_schema_field(SEAT)
class SeatNumber(serializers.IntegerField):
    """The number of a seat."""


@extend_schema_field(ROUND)
class RoundNumber(serializers.IntegerField):
    """The number of a round."""


@extend_schema_field(_whole(0, ROUND_LIMIT))
class RoundsBegun(serializers.IntegerField):
    """How many rounds have begun."""


@extend_schema_field(_whole(1, MOST_SEATS))
class Place(serializers.IntegerField):
    """A place at the end of a match."""


@extend_schema_field(_whole(0, MOST_DICE_EACH))
class DiceLeft(serializers.IntegerField):
    """The dice of one seat."""


@extend_schema_field(_whole(1, MOST_DICE))
class DiceInPlay(serializers.IntegerField):
    """The dice of all seats still in."""


@extend_schema_field(_whole(1, FACES))
class Face(serializers.IntegerField):
    """A face of a die."""


@extend_schema_field(_whole(1, MOST_DICE))
class Quantity(serializers.IntegerField):
    """How many dice a bid claims."""


@extend_schema_field(_whole(1, MOST_PIPS))
class Total(serializers.IntegerField):
    """How many pips a bid claims, with sum bidding."""


@extend_schema_field(_whole(0, MOST_PIPS))
class Count(serializers.IntegerField):
    """What a bid counted in all hands."""


HAND = {"type": "array", "items": _whole(1, FACES), "minItems": 1, "maxItems": MOST_DICE_EACH}


@extend_schema_field(HAND)
class Hand(serializers.ListField):
    """The dice of one seat, in the order rolled."""


@extend_schema_field(_by_seat(HAND))
class Hands(serializers.DictField):
    """The hands of a round, by seat."""


@extend_schema_field(_by_seat({"type": "integer", "enum": [-1, 1]}))
class Changes(serializers.DictField):
    """The dice that seats gained or lost, by seat."""


@extend_schema_field(_by_seat(_whole(1, MOST_SEATS)))
class Places(serializers.DictField):
    """Places, by seat."""


@extend_schema_field(
    {
        "type": "object",
        "propertyNames": {"type": "string", "enum": [*map(str, range(1, FACES + 1)), "total"]},
        "additionalProperties": {
            "type": "array",
            "items": _whole(1, MOST_PIPS),
            "minItems": 2,
            "maxItems": 2,
        },
    }
)
class BidRanges(serializers.DictField):
    """The lowest and the highest legal bid, for each face or for `total`."""


def one_word(word: str) -> serializers.ChoiceField:
    """A field that always holds this word."""
    return serializers.ChoiceField(choices=[word])
