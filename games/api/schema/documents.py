"""What the API answers, as serializers that describe it. Nothing is written through them.

Fields may be added; renaming or removing one is a new version of the API.
"""

import json
from pathlib import Path

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field, inline_serializer
from rest_framework import serializers

import games
from games.api.schema.fields import (
    BidRanges,
    Changes,
    Count,
    DiceInPlay,
    DiceLeft,
    Face,
    Hand,
    Hands,
    Hex,
    Id,
    Place,
    Places,
    Quantity,
    RoundNumber,
    RoundsBegun,
    SeatNumber,
    Seed,
    Time,
    Total,
    Version,
    one_word,
)
from games.api.schema.options import Clock, OptionsByName, PresetsByName, Rules
from games.commands.opening import MODES, VISIBILITIES
from games.computers.registry import CHARACTERS, LEVELS
from games.engine.archive import FORMAT as ARCHIVE_FORMAT
from games.queries.lists import STATUSES

_ARCHIVE_SCHEMA = json.loads((Path(games.__path__[0]) / "archive.schema.json").read_text("utf-8"))
_EVENT = _ARCHIVE_SCHEMA["$defs"]["event"]["properties"]


class PersonSerializer(serializers.Serializer):
    """Somebody who plays: with an account, as a guest, or by a program of theirs (a bot)."""

    id = Id()
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=["account", "guest", "bot"])


class ComputerSerializer(serializers.Serializer):
    """A computer that plays."""

    id = Id()
    name = serializers.CharField()
    kind = one_word("computer")
    level = serializers.ChoiceField(choices=LEVELS)
    character = serializers.ChoiceField(choices=list(CHARACTERS))


@extend_schema_field(
    PolymorphicProxySerializer(
        component_name="Player",
        serializers={
            "account": PersonSerializer,
            "guest": PersonSerializer,
            "bot": PersonSerializer,
            "computer": ComputerSerializer,
        },
        resource_type_field_name="kind",
    )
)
class Player(serializers.DictField):
    """Whoever sits on a seat."""


class GuestMadeSerializer(serializers.Serializer):
    """A new guest with their token, which is shown this once."""

    token = serializers.CharField()
    player = PersonSerializer()


class MeSerializer(serializers.Serializer):
    """Who asks, and what waits for them."""

    player = PersonSerializer()
    waiting = serializers.ListField(
        child=Id(),
        help_text="The tables where it is my move or my round to start, the most urgent first.",
    )


class PresetsSerializer(serializers.Serializer):
    """The presets with all their options, and what each option may be."""

    presets = PresetsByName()
    options = OptionsByName()


class FaceBidSerializer(serializers.Serializer):
    """A claim: at least so many dice of this face."""

    quantity = Quantity()
    face = Face()


class TotalBidSerializer(serializers.Serializer):
    """A claim, with sum bidding: at least so many pips."""

    total = Total()


class StandingFaceBidSerializer(FaceBidSerializer):
    """A bid on a face, and whose it is."""

    seat = SeatNumber()


class StandingTotalBidSerializer(TotalBidSerializer):
    """A bid of a total, and whose it is."""

    seat = SeatNumber()


class Tell(serializers.BooleanField):
    """Whether a computer showed that it was surprised at its own bid."""

    def __init__(self) -> None:
        super().__init__(
            required=False, help_text="There, and true, where an Easy computer looked surprised."
        )


class PlacedFaceBidSerializer(StandingFaceBidSerializer):
    """A bid on a face: whose it is, and when it was made."""

    at = Time()
    tell = Tell()


class PlacedTotalBidSerializer(StandingTotalBidSerializer):
    """A bid of a total: whose it is, and when it was made."""

    at = Time()
    tell = Tell()


@extend_schema_field(
    PolymorphicProxySerializer(
        component_name="Bid",
        serializers=[FaceBidSerializer, TotalBidSerializer],
        resource_type_field_name=None,
    )
)
class Bid(serializers.DictField):
    """A quantity of a face, or a total."""


@extend_schema_field(
    PolymorphicProxySerializer(
        component_name="StandingBid",
        serializers=[StandingFaceBidSerializer, StandingTotalBidSerializer],
        resource_type_field_name=None,
    )
)
class StandingBid(serializers.DictField):
    """A bid with its seat."""


@extend_schema_field(
    PolymorphicProxySerializer(
        component_name="PlacedBid",
        serializers=[PlacedFaceBidSerializer, PlacedTotalBidSerializer],
        resource_type_field_name=None,
    )
)
class PlacedBid(serializers.DictField):
    """A bid with its seat and time."""


class CallSerializer(serializers.Serializer):
    """The call that ended a round."""

    seat = SeatNumber()
    type = serializers.ChoiceField(choices=["liar", "exact"])
    at = Time()


class RevealSerializer(serializers.Serializer):
    """Everything about a round that has ended."""

    number = RoundNumber()
    palifico = serializers.BooleanField()
    opener = SeatNumber()
    bids = serializers.ListField(child=PlacedBid(), min_length=1)
    call = CallSerializer()
    bid = StandingBid(help_text="The bid that was called.")
    count = Count(help_text="What the bid counted in all hands.")
    right = serializers.BooleanField(help_text="Was the call right?")
    hands = Hands(help_text="The dice of every seat that was in, in the order rolled.")
    changes = Changes(help_text="How many dice a seat gained or lost, without zeros.")
    out = serializers.ListField(child=SeatNumber(), help_text="The seats that went out.")
    next_opener = SeatNumber(allow_null=True)
    next_palifico = serializers.BooleanField()
    secret = Hex(help_text="The secret of this round, from which its dice can be rolled again.")
    at = Time()


class SeatSerializer(serializers.Serializer):
    """One seat of a table."""

    seat = SeatNumber()
    player = Player(allow_null=True, help_text="Null while nobody sits here.")
    dice = DiceLeft()
    place = Place(allow_null=True, help_text="Null while it is not settled.")
    substitute = serializers.BooleanField(help_text="Does a computer play for the person, who left?")
    ready = serializers.BooleanField(help_text="Was Next round pressed here?")
    bank_seconds = serializers.IntegerField(min_value=0, allow_null=True, help_text="Left of the time bank.")
    client_seed = Seed(allow_null=True, help_text="Before the start one sees only one's own.")


class ViewerSerializer(serializers.Serializer):
    """Who looks at the table."""

    role = serializers.ChoiceField(choices=["player", "spectator", "owner"])
    seat = SeatNumber(allow_null=True, help_text="The seat that is held, or looked through.")


class RoundSerializer(serializers.Serializer):
    """The round in play."""

    number = RoundNumber()
    palifico = serializers.BooleanField()
    opener = SeatNumber()
    turn = SeatNumber()
    dice_in_play = DiceInPlay()
    bids = serializers.ListField(child=PlacedBid())
    hand = Hand(allow_null=True, help_text="The dice of the viewer's own seat; null where there are none.")


class LegalSerializer(serializers.Serializer):
    """What the viewer may do now."""

    bids = BidRanges(help_text="For every face that may be bid, or for `total`: the lowest and the highest.")
    liar = serializers.BooleanField()
    exact = serializers.BooleanField()
    next_round = serializers.BooleanField()
    suggested = Bid(allow_null=True, help_text="A bid to start from; null where no raise is left.")


class ResultSerializer(serializers.Serializer):
    """How the match ended."""

    winner = SeatNumber(allow_null=True)
    places = Places()
    drawn = serializers.BooleanField()


class GivenSerializer(serializers.Serializer):
    """What a practice table began from: a round of another match, whose hands were given and not rolled."""

    table = Id()
    round = RoundNumber()
    dice = serializers.DictField(
        child=serializers.IntegerField(min_value=1, max_value=5), help_text="How many each seat began with."
    )
    palifico = serializers.BooleanField(help_text="Was the first round a palifico round?")


class ViewSerializer(serializers.Serializer):
    """A table as whoever asks may see it."""

    id = Id()
    version = Version(help_text="Rises with every change of what anyone may see here.")
    name = serializers.CharField()
    status = serializers.ChoiceField(choices=STATUSES)
    mode = serializers.ChoiceField(choices=MODES)
    visibility = serializers.ChoiceField(choices=VISIBILITIES)
    rules = Rules()
    clock = Clock()
    commitment = Hex(help_text="The end of the chain of secrets, published before anyone sits.")
    created_at = Time()
    host = Id(help_text="The player who made the table.")
    deadline = Time(allow_null=True, help_text="When the turn (bank included) or the reveal ends.")
    seats = SeatSerializer(many=True)
    viewer = ViewerSerializer()
    round = RoundSerializer(allow_null=True, help_text="Null unless the status is `bidding`.")
    legal = LegalSerializer(allow_null=True, help_text="Null for whoever cannot act.")
    reveal = RevealSerializer(allow_null=True, help_text="The latest one, at any time.")
    result = ResultSerializer(allow_null=True)
    tells = serializers.BooleanField(
        required=False, help_text="May Easy computers that bluff look surprised? Such a bid has `tell`: true."
    )
    given = GivenSerializer(
        required=False,
        help_text="Of practice tables whose first hands were given: the check of dice leaves round 1 out.",
    )


class SummarySerializer(serializers.Serializer):
    """A table in a list."""

    id = Id()
    name = serializers.CharField()
    status = serializers.ChoiceField(choices=STATUSES)
    mode = serializers.ChoiceField(choices=MODES)
    visibility = serializers.ChoiceField(choices=VISIBILITIES)
    rules = Rules()
    clock = Clock()
    seats = SeatSerializer(many=True)
    round_number = RoundsBegun()
    turn = SeatNumber(allow_null=True)
    deadline = Time(allow_null=True)
    updated_at = Time()


class VersionOnlySerializer(serializers.Serializer):
    """The minimal answer to an action."""

    id = Id()
    version = Version()


ViewOrVersion = PolymorphicProxySerializer(
    component_name="ViewOrVersion",
    serializers=[ViewSerializer, VersionOnlySerializer],
    resource_type_field_name=None,
)


class TablesPageSerializer(serializers.Serializer):
    """A page of tables."""

    results = SummarySerializer(many=True)
    next = serializers.URLField(allow_null=True, help_text="The address of the next page.")


class RoundsPageSerializer(serializers.Serializer):
    """A page of reveals."""

    results = RevealSerializer(many=True)
    next = serializers.URLField(allow_null=True, help_text="The address of the next page.")


class InviteSerializer(serializers.Serializer):
    """What lets others sit down at a private table."""

    invite = serializers.CharField()
    url = serializers.URLField()


@extend_schema_field(
    {
        "anyOf": [
            {"$ref": "#/components/schemas/Person"},
            {"type": "string"},
            {"type": "null"},
        ]
    }
)
class EventPlayer(serializers.JSONField):
    """The person who sat down; or the id of whoever stood up or was sent away."""


class ArchiveEventSerializer(serializers.Serializer):
    """Something that happened besides bids and calls; what else it says depends on its kind."""

    version = Version()
    kind = serializers.ChoiceField(choices=_EVENT["kind"]["enum"])
    seat = SeatNumber(allow_null=True)
    at = Time()
    round = RoundsBegun()
    status = serializers.ChoiceField(choices=_EVENT["status"]["enum"])
    player = EventPlayer(required=False)
    level = serializers.ChoiceField(choices=LEVELS, required=False)
    character = serializers.ChoiceField(choices=list(CHARACTERS), required=False)
    opener = SeatNumber(required=False)
    seats = serializers.ListField(child=SeatNumber(), required=False)
    number = RoundNumber(required=False)
    palifico = serializers.BooleanField(required=False)
    strikes = serializers.IntegerField(min_value=1, max_value=2, required=False)
    why = serializers.ChoiceField(choices=["leave", "strikes"], required=False)
    forfeit = serializers.BooleanField(required=False)


class ArchiveSerializer(serializers.Serializer):
    """A finished match as one document that stands on its own."""

    format = serializers.IntegerField(min_value=ARCHIVE_FORMAT, max_value=ARCHIVE_FORMAT)
    table = ViewSerializer(help_text="The view of a spectator.")
    rounds = RevealSerializer(many=True, help_text="Every reveal, oldest first.")
    events = ArchiveEventSerializer(many=True)


# `fields` is what every serializer has of its own, so that no class can name one of its fields so.
Error = inline_serializer(
    "Error",
    {
        "code": serializers.CharField(help_text="For programs: it stays the same when the words change."),
        "message": serializers.CharField(help_text="For people: what is wrong, and what would be right."),
        "fields": serializers.DictField(
            child=serializers.ListField(child=serializers.CharField(), min_length=1),
            required=False,
            help_text="What is wrong, by field.",
        ),
        "version": Version(required=False, help_text="The current version, where the request met another."),
    },
)
