"""003 caselaw: `caselaw` joins the kinds of kb_source."""

from django.db import migrations, models

from kb_project.database.migration_sql import add_values, sql

KINDS = ["law", "regulation", "circular", "caselaw"]


class Migration(migrations.Migration):
    dependencies = [("sources", "001_topics")]
    operations = [
        sql(
            add_values("kb_source", "kind", KINDS),
            state_operations=[
                migrations.RemoveConstraint(model_name="source", name="kb_source_kind_check"),
                migrations.AddConstraint(
                    model_name="source",
                    constraint=models.CheckConstraint(condition=models.Q(kind__in=KINDS), name="kb_source_kind_check"),
                ),
            ],
        ),
    ]
