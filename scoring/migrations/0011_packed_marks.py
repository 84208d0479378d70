from django.db import migrations, models


def forget(apps, schema_editor):
    """Take all marks away: they are made again by the next replay, which then begins at the first game."""
    apps.get_model("scoring", "RatingMark").objects.all().delete()
    apps.get_model("scoring", "RatingBook").objects.filter(on=True).update(stale=True, changed_on=None)


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0010_places_of_seats"),
    ]

    operations = [
        migrations.RunPython(forget, forget),
        migrations.RemoveField(model_name="ratingmark", name="standing"),
        migrations.AddField(
            model_name="ratingmark",
            name="standing",
            field=models.BinaryField(
                help_text="For each player rated by then: mean, variance and games; see scoring/ratings.py."
            ),
            preserve_default=False,
        ),
    ]
