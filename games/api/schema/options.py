"""The options of a table and its clock, drawn from where the engine and the clocks keep them."""

from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from games.api.schema.fields import one_word
from games.clocks import BANK_SECONDS, PACES, TURN_SECONDS
from games.engine.rules import OPTIONS, PRESETS, Choice, WholeNumber


def _values(option: WholeNumber | Choice) -> dict[str, Any]:
    """What an option may be."""
    if isinstance(option, WholeNumber):
        return {"type": "integer", "minimum": option.lowest, "maximum": option.highest}
    if all(isinstance(value, bool) for value in option.values):
        return {"type": "boolean"}
    return {"type": "string", "enum": list(option.values)}


def _about(option: WholeNumber | Choice) -> dict[str, Any]:
    """What `presets` says of an option."""
    value = _values(option)
    if isinstance(option, WholeNumber):
        properties = {"min": {"type": "integer"}, "max": {"type": "integer"}, "default": value}
    else:
        properties = {"values": {"type": "array", "items": value}, "default": value}
    return {"type": "object", "required": list(properties), "properties": properties}


_EVERY_OPTION = {name: _values(option) for name, option in OPTIONS.items()}


@extend_schema_field(
    {
        "type": "object",
        "description": "Every option of a table. Options never change once the table is made.",
        "required": list(OPTIONS),
        "properties": _EVERY_OPTION,
    },
    component_name="Rules",
)
class Rules(serializers.DictField):
    """Every option with its value."""


@extend_schema_field(
    {
        "type": "object",
        "description": "Options over those of the preset. An unknown one is refused; one that is not named "
        "gives way to those that are.",
        "properties": _EVERY_OPTION,
        "additionalProperties": False,
    },
    component_name="RulesWanted",
)
class RulesWanted(serializers.DictField):
    """Some options."""


@extend_schema_field(
    {
        "type": "object",
        "required": list(PRESETS),
        "properties": {name: {"$ref": "#/components/schemas/Rules"} for name in PRESETS},
    }
)
class PresetsByName(serializers.DictField):
    """The presets with all their options."""


@extend_schema_field(
    {
        "type": "object",
        "required": list(OPTIONS),
        "properties": {name: _about(option) for name, option in OPTIONS.items()},
    }
)
class OptionsByName(serializers.DictField):
    """What each option may be."""


class LiveClockSerializer(serializers.Serializer):
    """A clock for people who are there at the same time."""

    kind = one_word("live")
    pace = serializers.ChoiceField(choices=list(PACES))


class SlowClockSerializer(serializers.Serializer):
    """A clock of hours or days a turn."""

    kind = one_word("slow")
    turn_seconds = serializers.IntegerField(min_value=TURN_SECONDS[0], max_value=TURN_SECONDS[1])
    bank_seconds = serializers.IntegerField(
        min_value=BANK_SECONDS[0],
        max_value=BANK_SECONDS[1],
        help_text="The time bank of each person for the whole match; 0: there is none.",
    )


class SlowClockWantedSerializer(SlowClockSerializer):
    """A clock of hours or days a turn, without a bank unless one is asked for."""

    bank_seconds = serializers.IntegerField(
        min_value=BANK_SECONDS[0], max_value=BANK_SECONDS[1], required=False, allow_null=True
    )


class NoClockSerializer(serializers.Serializer):
    """No limit."""

    kind = one_word("none")


@extend_schema_field(
    PolymorphicProxySerializer(
        component_name="Clock",
        serializers={"live": LiveClockSerializer, "slow": SlowClockSerializer, "none": NoClockSerializer},
        resource_type_field_name="kind",
    )
)
class Clock(serializers.DictField):
    """How long a turn may take."""


@extend_schema_field(
    PolymorphicProxySerializer(
        component_name="ClockWanted",
        serializers={
            "live": LiveClockSerializer,
            "slow": SlowClockWantedSerializer,
            "none": NoClockSerializer,
        },
        resource_type_field_name="kind",
    )
)
class ClockWanted(serializers.DictField):
    """How long a turn shall take."""
