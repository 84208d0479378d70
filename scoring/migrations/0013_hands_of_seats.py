import json
from itertools import groupby, islice
from operator import itemgetter

from django.db import migrations, models

AT_A_TIME = 500


def fill(apps, schema_editor):
    """Tell every seat of a counted game what its hands came to by their dealer, and how far behind the winner was."""
    Entry, Seat = (apps.get_model("scoring", name) for name in ("Entry", "Seat"))
    games = Seat.objects.filter(total__isnull=False).order_by("game").values_list("game", flat=True).distinct()
    left = iter(list(games))
    table, row = (schema_editor.quote_name(name) for name in (Seat._meta.db_table, "id"))
    change = f"UPDATE {table} SET by_dealer = %s, behind = %s, behind_after = %s WHERE {row} = %s"
    while some := list(islice(left, AT_A_TIME)):
        entries = Entry.objects.filter(hand__game__in=some, hand__closed=True).order_by("hand__game", "hand__number", "seat__number")
        rows = entries.values_list(
            "hand__game",
            "hand__number",
            "hand__dealer",
            "hand__game__season__lowest_wins",
            "seat",
            "seat__number",
            "seat__table_size",
            "seat__place",
            "points",
            "posted",
        )
        changes = [change for _game, of_game in groupby(rows, key=itemgetter(0)) for change in _of_game(list(of_game))]
        with schema_editor.connection.cursor() as cursor:
            cursor.executemany(change, changes)


def _of_game(rows):
    """Give the values of each seat, its key last."""
    by_dealer, behind = {}, {}
    for _game, _hand, dealer, _lowest_wins, seat, number, size, _place, points, _posted in rows:
        sums = by_dealer.setdefault(seat, [[0, 0] for _distance in range(size)])
        if points is not None:
            group = sums[(number - dealer) % size]
            group[0] += points
            group[1] += 1
    hands = [list(hand) for _number, hand in groupby(rows, key=itemgetter(1))]
    sums = {row[4]: 0 for row in hands[0]}
    for hand in hands[:-1]:
        sign = -1 if hand[0][3] is False else 1
        sums = {row[4]: sums[row[4]] + sign * row[9] for row in hand if row[9] is not None and row[4] in sums}
        for row in hand:
            seat, place = row[4], row[7]
            if place == 1 and seat in sums and sums[seat] - min(sums.values()) > behind.get(seat, (0, 0))[0]:
                behind[seat] = sums[seat] - min(sums.values()), row[1]
    return [(json.dumps(sums), *behind.get(seat, (0, 0)), seat) for seat, sums in by_dealer.items()]


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0012_means_of_totals"),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="by_dealer",
            field=models.JSONField(
                default=list,
                help_text="In a counted game, by the seats from a hand's dealer to this one: the points given in those hands, and how many.",
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="behind",
            field=models.PositiveIntegerField(
                db_default=0, default=0, help_text="Points that whoever won the game was behind at the worst moment; 0: never, or not won."
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="behind_after",
            field=models.PositiveSmallIntegerField(db_default=0, default=0, help_text="The hand after which that was."),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
