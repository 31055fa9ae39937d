"""Rows: tables, seats, rounds, hands, and one event for every version of a table.

A bid or a call is the event of its version. From the events, and the hands of the round in play, the present
state can be rebuilt; the columns of `Table` and `Seat` are that state, kept at hand. What can be a promise of
the database is a constraint with a name, or a trigger (migration 0002).
"""

import base64
import secrets

from django.db import models
from django.db.models import F, Q

from accounts.models import Player

CALLS = ("liar", "exact")
TABLE_NAME_LENGTH = 60


def new_table_id() -> str:
    """Return 16 random letters and digits: nobody guesses the address of an unlisted table."""
    return base64.b32encode(secrets.token_bytes(10)).decode().lower()


def _one_of(column: str, *values: str) -> Q:
    return Q(**{f"{column}__in": values})


class Table(models.Model):
    """One match with its people and options; the options never change after it is made."""

    id = models.CharField(primary_key=True, max_length=16, default=new_table_id, editable=False)
    name = models.CharField(max_length=TABLE_NAME_LENGTH)
    mode = models.CharField(max_length=8, editable=False)
    visibility = models.CharField(max_length=8, editable=False)
    rules = models.JSONField(editable=False)
    clock = models.JSONField(editable=False)
    live = models.BooleanField(default=False, editable=False)  # has a live clock: people must be there
    commitment = models.CharField(max_length=64, editable=False)
    # The end of the chain of secrets, sealed: every die of the match follows from it.
    sealed_chain = models.CharField(max_length=255, editable=False)
    host = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", editable=False)
    created_at = models.DateTimeField(editable=False)

    version = models.PositiveIntegerField(default=0, editable=False)
    updated_at = models.DateTimeField(editable=False)
    status = models.CharField(max_length=8, default="open", editable=False)
    number = models.PositiveSmallIntegerField(default=0, editable=False)  # rounds begun so far
    turn = models.PositiveSmallIntegerField(null=True, editable=False)
    awaited = models.PositiveSmallIntegerField(default=0, editable=False)  # one bit a seat we wait for
    ready = models.PositiveSmallIntegerField(default=0, editable=False)  # one bit a seat that pressed
    claims = models.JSONField(default=list, editable=False)
    next_opener = models.PositiveSmallIntegerField(null=True, editable=False)
    next_palifico = models.BooleanField(default=False, editable=False)
    started_version = models.PositiveIntegerField(null=True, editable=False)  # of the match's beginning
    revealed_version = models.PositiveIntegerField(null=True, editable=False)  # of the latest reveal
    result = models.JSONField(null=True, editable=False)
    began_at = models.DateTimeField(null=True, editable=False)  # the present turn, or reveal
    due_at = models.DateTimeField(null=True, editable=False)  # when it ends
    computer_due_at = models.DateTimeField(null=True, editable=False)  # when a computer has thought
    # May Easy computers look surprised at their own bids? None, of a table older than this column: they may.
    # Nullable, as SQLite would make the table anew for any other column, and drop its triggers.
    tells = models.BooleanField(null=True, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=_one_of("mode", "casual", "ranked", "practice"), name="table_mode_is_known"
            ),
            models.CheckConstraint(
                condition=_one_of("visibility", "public", "unlisted", "private"),
                name="table_visibility_is_known",
            ),
            models.CheckConstraint(
                condition=_one_of("status", "open", "bidding", "revealed", "finished"),
                name="table_status_is_known",
            ),
            models.CheckConstraint(
                condition=Q(status="bidding", turn__isnull=False)
                | (~Q(status="bidding") & Q(turn__isnull=True)),
                name="table_has_a_turn_while_bidding",
            ),
            models.CheckConstraint(condition=Q(number__lte=999), name="table_has_at_most_999_rounds"),
        ]
        indexes = [
            models.Index("visibility", F("updated_at").desc(), F("id").desc(), name="table_visible_latest"),
            models.Index(
                *("visibility", "status", F("updated_at").desc(), F("id").desc()),
                name="table_visible_status_latest",
            ),
            models.Index(
                "computer_due_at", condition=Q(computer_due_at__isnull=False), name="table_computer_due"
            ),
            models.Index("due_at", condition=Q(due_at__isnull=False), name="table_due"),
            models.Index(
                "id", condition=Q(live=True, status__in=("bidding", "revealed")), name="table_live_in_play"
            ),
            models.Index("updated_at", condition=Q(status="open"), name="table_open_untouched"),
        ]

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<Table {self.id}>"


class Seat(models.Model):
    """A place at a table: empty, a person's, or a computer's."""

    table = models.ForeignKey(
        Table, on_delete=models.CASCADE, related_name="seats", db_index=False, editable=False
    )
    number = models.PositiveSmallIntegerField(editable=False)
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, null=True, related_name="seats", editable=False
    )
    practice = models.BooleanField(default=False, editable=False)  # its player may hold several
    level = models.CharField(max_length=8, default="", editable=False)  # of a computer
    character = models.CharField(max_length=20, default="", editable=False)
    client_seed = models.CharField(max_length=64, default="", editable=False)
    dice = models.PositiveSmallIntegerField(editable=False)
    strikes = models.PositiveSmallIntegerField(default=0, editable=False)
    claimed = models.BooleanField(default=False, editable=False)  # ever had a palifico claim
    out = models.PositiveSmallIntegerField(null=True, editable=False)  # by which call that put seats out
    left = models.PositiveSmallIntegerField(null=True, editable=False)  # the how-manieth to leave
    forfeited = models.BooleanField(default=False, editable=False)
    bank = models.PositiveBigIntegerField(null=True, editable=False)  # milliseconds
    over = models.BooleanField(default=False, editable=False)  # the match has ended

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="one_seat_per_number"),
            models.UniqueConstraint(
                fields=["table", "player"], condition=Q(practice=False), name="one_seat_per_player"
            ),
            models.CheckConstraint(condition=Q(number__lte=5), name="seat_number_within_bounds"),
            models.CheckConstraint(condition=Q(dice__lte=5), name="seat_dice_within_bounds"),
            models.CheckConstraint(
                condition=Q(player__isnull=True) | Q(level=""), name="seat_is_a_persons_or_a_computers"
            ),
        ]

        # The unique constraints begin with the table; what waits for a player is looked up by this one.
        indexes = [models.Index("player", condition=Q(over=False), name="seat_by_player_in_play")]

    def __str__(self) -> str:
        return f"seat {self.number} of {self.table_id}"


class Round(models.Model):
    """A round that has begun; its call and everything revealed are in the event that ended it."""

    table = models.ForeignKey(
        Table, on_delete=models.CASCADE, related_name="rounds", db_index=False, editable=False
    )
    number = models.PositiveSmallIntegerField(editable=False)
    palifico = models.BooleanField(editable=False)
    opener = models.PositiveSmallIntegerField(editable=False)
    started_at = models.DateTimeField(editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="one_round_per_number"),
            models.CheckConstraint(
                condition=Q(number__gte=1, number__lte=999), name="round_number_within_bounds"
            ),
            models.CheckConstraint(condition=Q(opener__lte=5), name="round_opener_within_bounds"),
        ]

    def __str__(self) -> str:
        return f"round {self.number} of {self.table_id}"


class Hand(models.Model):
    """The dice of one seat in one round, sealed; the reveal has them in the open."""

    table = models.ForeignKey(
        Table, on_delete=models.CASCADE, related_name="+", db_index=False, editable=False
    )
    number = models.PositiveSmallIntegerField(editable=False)  # of the round
    seat = models.PositiveSmallIntegerField(editable=False)
    sealed = models.CharField(max_length=255, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "number", "seat"], name="one_hand_per_seat_and_round"),
            models.CheckConstraint(condition=Q(seat__lte=5), name="hand_seat_within_bounds"),
        ]

    def __str__(self) -> str:
        return f"a hand of round {self.number} of {self.table_id}"

    def __repr__(self) -> str:
        return f"<Hand of seat {self.seat}, round {self.number}, table {self.table_id}>"


class Event(models.Model):
    """What happened to give a table this version; everything in it is public."""

    table = models.ForeignKey(
        Table, on_delete=models.CASCADE, related_name="events", db_index=False, editable=False
    )
    version = models.PositiveIntegerField(editable=False)
    kind = models.CharField(max_length=10, editable=False)
    seat = models.PositiveSmallIntegerField(null=True, editable=False)
    at = models.DateTimeField(editable=False)
    status = models.CharField(max_length=8, editable=False)  # the status in which it happened
    number = models.PositiveSmallIntegerField(editable=False)  # rounds begun when it happened
    ordinal = models.PositiveSmallIntegerField(null=True, editable=False)  # of a bid in its round
    quantity = models.PositiveSmallIntegerField(null=True, editable=False)
    face = models.PositiveSmallIntegerField(null=True, editable=False)
    total = models.PositiveSmallIntegerField(null=True, editable=False)
    # JSON as text, so that it reads the same byte by byte for ever; of a call it is the whole reveal.
    facts = models.TextField(null=True, editable=False)  # None: a bid without a tell

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "version"], name="one_event_per_version"),
            models.UniqueConstraint(
                fields=["table", "number", "ordinal"],
                condition=Q(kind="bid"),
                name="one_ordinal_per_bid",
            ),
            models.UniqueConstraint(
                fields=["table", "number"], condition=Q(kind__in=CALLS), name="one_call_per_round"
            ),
            models.CheckConstraint(
                condition=Q(kind="bid", ordinal__isnull=False)
                & (
                    Q(total__isnull=False, quantity__isnull=True, face__isnull=True)
                    | Q(total__isnull=True, quantity__isnull=False, face__gte=1, face__lte=6)
                )
                | ~Q(kind="bid")
                & Q(ordinal__isnull=True, quantity__isnull=True, face__isnull=True, total__isnull=True),
                name="event_has_a_bid_where_it_is_one",
            ),
            models.CheckConstraint(condition=Q(version__gte=1), name="event_versions_begin_at_one"),
        ]

    def __str__(self) -> str:
        return f"version {self.version} of {self.table_id}: {self.kind}"


class Archive(models.Model):
    """What stays of a match: with its reveals it stands on its own, without a row of any other table.

    While the match goes on it has the reveals so far and nothing else. All of it is public to whoever may see
    the table; it never has a live hand.
    """

    id = models.CharField(primary_key=True, max_length=16, editable=False)  # of the table, wherever it is
    format = models.PositiveSmallIntegerField(editable=False)
    version = models.PositiveIntegerField(editable=False)  # of the table that this was made from
    visibility = models.CharField(max_length=8, editable=False)
    ended_at = models.DateTimeField(null=True, editable=False)  # None: the match goes on
    # The document without its rounds, JSON packed by zlib; empty while the match goes on.
    frame = models.BinaryField(default=b"")
    live_rows = models.BooleanField(default=True, editable=False)  # the match can be read from rows as well
    refused_at = models.DateTimeField(null=True, editable=False)  # when the rows said something else

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(live_rows=True) | Q(ended_at__isnull=False),
                name="archive_stands_alone_only_when_whole",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, frame=b"") | Q(ended_at__isnull=False) & ~Q(frame=b""),
                name="archive_has_a_frame_when_whole",
            ),
        ]
        indexes = [
            models.Index(
                "ended_at",
                condition=Q(live_rows=True, ended_at__isnull=False),
                name="archive_to_prune",
            )
        ]

    def __str__(self) -> str:
        return f"archive of {self.id}"


class ArchivedReveal(models.Model):
    """One reveal of an archive, so that a page of rounds reads no more than it shows."""

    archive = models.ForeignKey(
        Archive, on_delete=models.CASCADE, related_name="reveals", db_index=False, editable=False
    )
    number = models.PositiveSmallIntegerField(editable=False)
    content = models.BinaryField()  # JSON packed by zlib

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["archive", "number"], name="one_archived_reveal_per_round")
        ]

    def __str__(self) -> str:
        return f"round {self.number} of {self.archive_id}"


class Given(models.Model):
    """What a practice table began from: a round of another match, whose hands were given and not rolled."""

    table = models.OneToOneField(
        Table, on_delete=models.CASCADE, primary_key=True, related_name="+", editable=False
    )
    of_table = models.CharField(max_length=16, editable=False)  # the other match, which may be gone
    of_round = models.PositiveSmallIntegerField(editable=False)
    dice = models.JSONField(editable=False)  # how many each seat began with
    palifico = models.BooleanField(editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(of_round__gte=1, of_round__lte=999), name="given_round_within_bounds"
            )
        ]

    def __str__(self) -> str:
        return f"the first hands of {self.table_id}"


class Notice(models.Model):
    """Something that a player should hear of, waiting to be told."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", editable=False)
    kind = models.CharField(max_length=20, editable=False)
    table_id = models.CharField(max_length=16, editable=False)  # the table itself may be gone
    table_name = models.CharField(max_length=TABLE_NAME_LENGTH, editable=False)
    # When the turn began that this tells of; and from when on it may be told, or tried again.
    turn = models.DateTimeField(null=True, editable=False)
    at = models.DateTimeField(editable=False)
    told_at = models.DateTimeField(null=True, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player", "table_id", "turn"],
                condition=Q(turn__isnull=False),
                name="one_notice_per_turn",
            )
        ]
        indexes = [models.Index("at", condition=Q(told_at__isnull=True), name="notice_waiting")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.table_id} for {self.player_id}"


class Answer(models.Model):
    """The first answer to a request that brought an idempotency key, kept for a day.

    The answer is sealed, since it may hold its reader's live hand.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", editable=False)
    request = models.CharField(max_length=64, editable=False)  # digest of method, path and key
    body = models.CharField(max_length=64, editable=False)  # digest of what was asked
    status = models.PositiveSmallIntegerField(null=True, editable=False)  # None while in work
    sealed = models.TextField(default="", editable=False)
    at = models.DateTimeField(db_index=True, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "request"], name="one_answer_per_request")]

    def __str__(self) -> str:
        return f"an answer to {self.player_id}"

    def __repr__(self) -> str:
        return f"<Answer {self.pk}>"


class Visit(models.Model):
    """How far somebody has followed a table: the version they saw, and the round whose cups they lifted."""

    table = models.ForeignKey(
        Table, on_delete=models.CASCADE, related_name="+", db_index=False, editable=False
    )
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", editable=False)
    version = models.PositiveIntegerField(default=0, editable=False)
    lifted = models.PositiveSmallIntegerField(default=0, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "player"], name="one_visit_per_player")]

    def __str__(self) -> str:
        return f"a visit of {self.player_id} to {self.table_id}"


class Counted(models.Model):
    """A finished match whose outcomes were written, whether it had any or not."""

    archive = models.OneToOneField(
        Archive, on_delete=models.CASCADE, primary_key=True, related_name="counted", editable=False
    )

    def __str__(self) -> str:
        return f"outcomes of {self.archive_id}"


class Outcome(models.Model):
    """How a finished match that counts went for one person; it stays when the match's other rows go."""

    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="outcomes", db_index=False, editable=False
    )
    table_id = models.CharField(max_length=16, editable=False)  # the table itself may be gone
    table_name = models.CharField(max_length=1000, editable=False)  # as in an archive, wherever it is from
    visibility = models.CharField(max_length=8, editable=False)
    mode = models.CharField(max_length=8, editable=False)
    preset = models.CharField(max_length=12, editable=False)  # "own": the options are those of no preset
    rules = models.JSONField(editable=False)
    clock = models.JSONField(editable=False)
    rounds = models.PositiveSmallIntegerField(editable=False)
    seats = models.PositiveSmallIntegerField(editable=False)
    ended_at = models.DateTimeField(editable=False)
    over_at = models.DateTimeField(editable=False)  # for this person: who left was done with it earlier
    place = models.PositiveSmallIntegerField(editable=False)
    result = models.CharField(max_length=5, editable=False)
    against = models.CharField(max_length=20, editable=False)  # "people", or the level of the computers
    opponents = models.JSONField(editable=False)  # who they were, as they were called
    # The same to search in: names folded, a line each; ids between blanks.
    opponent_names = models.TextField(editable=False)
    opponent_ids = models.TextField(editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "table_id"], name="one_outcome_per_player"),
            models.CheckConstraint(
                condition=_one_of("result", "won", "lost", "drawn", "left"), name="outcome_result_is_known"
            ),
            models.CheckConstraint(condition=~Q(mode="practice"), name="outcome_of_no_practice"),
        ]
        indexes = [
            models.Index(
                "player", F("ended_at").desc(), F("table_id").desc(), name="outcome_of_player_latest"
            )
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.result} {self.table_id}"


class Analysis(models.Model):
    """What a finished match teaches, as far as it was worked out; it stays when the match's rows go."""

    archive = models.OneToOneField(
        Archive, on_delete=models.CASCADE, primary_key=True, related_name="analysis", editable=False
    )
    version = models.PositiveSmallIntegerField(editable=False)  # of the way of working it out
    rounds = models.PositiveSmallIntegerField(default=0, editable=False)  # added up so far
    whole = models.BooleanField(default=False, editable=False)
    summary = models.BinaryField(default=b"")  # what the rounds so far come to, JSON packed by zlib

    class Meta:
        verbose_name_plural = "analyses"

    def __str__(self) -> str:
        return f"analysis of {self.archive_id}"


class AnalysedRound(models.Model):
    """The decisions of one round, weighed."""

    analysis = models.ForeignKey(
        Analysis, on_delete=models.CASCADE, related_name="+", db_index=False, editable=False
    )
    number = models.PositiveSmallIntegerField(editable=False)
    content = models.BinaryField()  # JSON packed by zlib

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["analysis", "number"], name="one_analysed_round_per_round")
        ]

    def __str__(self) -> str:
        return f"round {self.number} of the analysis of {self.analysis_id}"


class Mirrored(models.Model):
    """How somebody bid and called in one finished match that counts, as counts."""

    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="+", db_index=False, editable=False
    )
    table_id = models.CharField(max_length=16, editable=False)  # the table itself may be gone
    rounds = models.PositiveSmallIntegerField(editable=False)
    counts = models.JSONField(editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "table_id"], name="one_mirror_per_player")]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.table_id}, mirrored"
