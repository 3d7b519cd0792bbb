from django.db import migrations, models

COUNT = """
UPDATE corpus_importrun AS run SET skipped = entry.skipped
FROM (SELECT run_id, count(*) AS skipped FROM corpus_importentry WHERE outcome = 'skipped' GROUP BY run_id) AS entry
WHERE entry.run_id = run.id
"""


class Migration(migrations.Migration):

    dependencies = [
        ('corpus', '0006_provisions_of_one_name'),
    ]

    operations = [
        migrations.AddField(
            model_name='importrun',
            name='skipped',
            field=models.PositiveIntegerField(db_default=0, default=0, verbose_name='omitidas'),
        ),
        migrations.RunSQL(COUNT, migrations.RunSQL.noop),
    ]
