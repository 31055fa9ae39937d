"""What the API is asked, as serializers that describe it. Nothing is read through them.

Null is the same as absent; fields that are not named here are ignored, except in `rules`.
"""

from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

from accounts.models import NAME_LENGTH
from games.api.schema.fields import MOST_SEATS, Face, Quantity, SeatNumber, Seed, Total, Version, one_word
from games.api.schema.options import ClockWanted, RulesWanted
from games.commands.opening import MODES, VISIBILITIES
from games.computers.registry import CHARACTERS, LEVELS
from games.engine.rules import PRESETS


class GuestWantedSerializer(serializers.Serializer):
    """Who wants to be a guest."""

    name = serializers.CharField(max_length=NAME_LENGTH, required=False, allow_null=True)


class ComputerWantedSerializer(serializers.Serializer):
    """A computer for a seat; without a character it takes one that is free."""

    level = serializers.ChoiceField(choices=LEVELS)
    character = serializers.ChoiceField(choices=list(CHARACTERS), required=False, allow_null=True)


class ComputerForSeatSerializer(ComputerWantedSerializer):
    """A computer for this seat, or for the first that is free."""

    seat = SeatNumber(required=False, allow_null=True)


class TableWantedSerializer(serializers.Serializer):
    """A table to be made; everything has a default."""

    name = serializers.CharField(required=False, allow_null=True)
    preset = serializers.ChoiceField(choices=list(PRESETS), required=False, allow_null=True)
    rules = RulesWanted(required=False, allow_null=True)
    mode = serializers.ChoiceField(
        choices=MODES, required=False, allow_null=True, help_text="Without it: casual."
    )
    clock = ClockWanted(
        required=False,
        allow_null=True,
        help_text="Without it: slow, two days a turn, no bank; for practice none.",
    )
    visibility = serializers.ChoiceField(
        choices=VISIBILITIES, required=False, allow_null=True, help_text="Without it: public."
    )
    computers = serializers.ListField(
        child=ComputerWantedSerializer(), max_length=MOST_SEATS, required=False, allow_null=True
    )
    client_seed = Seed(required=False, allow_null=True)
    sit = serializers.BooleanField(
        required=False, allow_null=True, help_text="Without it true: the maker sits at seat 0."
    )
    tells = serializers.BooleanField(
        required=False,
        allow_null=True,
        help_text="Without it true: an Easy computer that bluffs may look surprised at its own bid.",
    )


class SeatWantedSerializer(serializers.Serializer):
    """Which seat to sit on: this one, or the first that is free."""

    seat = SeatNumber(required=False, allow_null=True)
    client_seed = Seed(required=False, allow_null=True)
    invite = serializers.CharField(required=False, allow_null=True, help_text="Needed at a private table.")


class ActionSerializer(serializers.Serializer):
    """What every action has."""

    version = Version(help_text="The version of the view that the player acted on.")
    seat = SeatNumber(
        required=False,
        allow_null=True,
        help_text="The seat that acts: needed on a practice table, ignored on any other.",
    )


class FaceBidActionSerializer(ActionSerializer):
    """Bid on a face."""

    type = one_word("bid")
    quantity = Quantity()
    face = Face()


class TotalBidActionSerializer(ActionSerializer):
    """Bid a total, with sum bidding."""

    type = one_word("bid")
    total = Total()


class CallActionSerializer(ActionSerializer):
    """Call the standing bid a lie, or exactly right."""

    type = serializers.ChoiceField(choices=["liar", "exact"])


class NextRoundActionSerializer(ActionSerializer):
    """Go on to the next round."""

    type = one_word("next_round")


AnyAction = PolymorphicProxySerializer(
    component_name="Action",
    serializers=[
        FaceBidActionSerializer,
        TotalBidActionSerializer,
        CallActionSerializer,
        NextRoundActionSerializer,
    ],
    resource_type_field_name=None,
)
