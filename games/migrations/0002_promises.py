"""Promises that a column constraint cannot make: options never change, versions have no gaps.

SQLite drops a trigger with its table, and Django makes a table anew to alter it there: a later migration that
alters `games_table` or `games_event` runs `keep_promises` again.
"""

from django.db import migrations

FIXED = ("mode", "rules", "clock", "commitment", "created_at")

SQLITE = (
    f"""
    CREATE TRIGGER table_options_never_change BEFORE UPDATE OF {", ".join(FIXED)} ON games_table
    WHEN {" OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in FIXED)}
    BEGIN SELECT RAISE(ABORT, 'table_options_never_change'); END
    """,
    """
    CREATE TRIGGER event_versions_have_no_gaps BEFORE INSERT ON games_event
    WHEN NEW.version > 1 AND NOT EXISTS (
        SELECT 1 FROM games_event WHERE table_id = NEW.table_id AND version = NEW.version - 1
    )
    BEGIN SELECT RAISE(ABORT, 'event_versions_have_no_gaps'); END
    """,
    """
    CREATE TRIGGER events_never_change BEFORE UPDATE ON games_event
    BEGIN SELECT RAISE(ABORT, 'events_never_change'); END
    """,
)

POSTGRESQL = (
    """
    CREATE FUNCTION games_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION USING
            ERRCODE = 'integrity_constraint_violation', MESSAGE = TG_NAME, CONSTRAINT = TG_NAME;
    END $$
    """,
    f"""
    CREATE TRIGGER table_options_never_change BEFORE UPDATE OF {", ".join(FIXED)} ON games_table
    FOR EACH ROW WHEN ({" OR ".join(f"NEW.{column} IS DISTINCT FROM OLD.{column}" for column in FIXED)})
    EXECUTE FUNCTION games_refuse()
    """,
    """
    CREATE TRIGGER events_never_change BEFORE UPDATE ON games_event
    FOR EACH ROW EXECUTE FUNCTION games_refuse()
    """,
    """
    CREATE FUNCTION games_no_gap() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT 1 FROM games_event WHERE table_id = NEW.table_id AND version = NEW.version - 1
        ) THEN
            RAISE EXCEPTION USING
                ERRCODE = 'integrity_constraint_violation', MESSAGE = TG_NAME, CONSTRAINT = TG_NAME;
        END IF;
        RETURN NEW;
    END $$
    """,
    """
    CREATE TRIGGER event_versions_have_no_gaps BEFORE INSERT ON games_event
    FOR EACH ROW WHEN (NEW.version > 1) EXECUTE FUNCTION games_no_gap()
    """,
)

BACK = {
    "sqlite": (
        "DROP TRIGGER table_options_never_change",
        "DROP TRIGGER event_versions_have_no_gaps",
        "DROP TRIGGER events_never_change",
    ),
    "postgresql": (
        "DROP TRIGGER table_options_never_change ON games_table",
        "DROP TRIGGER events_never_change ON games_event",
        "DROP TRIGGER event_versions_have_no_gaps ON games_event",
        "DROP FUNCTION games_refuse()",
        "DROP FUNCTION games_no_gap()",
    ),
}


def keep_promises(apps, schema_editor):
    for statement in SQLITE if schema_editor.connection.vendor == "sqlite" else POSTGRESQL:
        schema_editor.execute(statement, params=None)


def give_them_up(apps, schema_editor):
    for statement in BACK[schema_editor.connection.vendor]:
        schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]
    operations = [migrations.RunPython(keep_promises, give_them_up)]
