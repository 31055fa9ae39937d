from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0007_notices"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="tells",
            field=models.BooleanField(editable=False, null=True),
        ),
    ]
