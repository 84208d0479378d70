import uuid

from django.db import migrations, models


def give_each_its_own(apps, schema_editor):
    League = apps.get_model("players", "League")
    for league in League.objects.filter(uid=None):
        league.uid = uuid.uuid4()
        league.save(update_fields=["uid"])


class Migration(migrations.Migration):

    dependencies = [
        ('players', '0005_photo_days'),
    ]

    operations = [
        migrations.AddField(
            model_name='league',
            name='uid',
            field=models.UUIDField(default=uuid.uuid4, editable=False, null=True),
        ),
        migrations.RunPython(give_each_its_own, migrations.RunPython.noop),
        migrations.AlterField(
            model_name='league',
            name='uid',
            field=models.UUIDField(default=uuid.uuid4, editable=False, help_text='By which its archive knows it, on whatever site it is.', unique=True),
        ),
    ]
