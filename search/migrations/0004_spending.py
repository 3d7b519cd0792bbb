from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('search', '0003_query_log_and_evaluations'),
    ]

    operations = [
        migrations.CreateModel(
            name='Spending',
            fields=[
                ('caller', models.TextField(primary_key=True, serialize=False, verbose_name='quién')),
                ('period', models.BigIntegerField()),
                ('seconds', models.PositiveIntegerField()),
                ('counted', models.PositiveIntegerField()),
                ('before', models.PositiveIntegerField()),
            ],
            options={
                'verbose_name': 'peticiones contadas',
                'verbose_name_plural': 'peticiones contadas',
            },
        ),
        # Counts are changed with every request and are worth nothing after a crash; half-empty pages take each new
        # row beside the old one, without a change of the index.
        migrations.RunSQL(
            "ALTER TABLE search_spending SET UNLOGGED; ALTER TABLE search_spending SET (fillfactor = 50)",
            migrations.RunSQL.noop,
        ),
    ]
