"""004 kind_tool: `tool` joins the kinds of kb_source."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql, values_constraint

KINDS = ["law", "regulation", "circular", "caselaw", "tool"]


class Migration(migrations.Migration):
    dependencies = [("sources", "003_caselaw")]
    operations = [
        sql(
            values_constraint("kb_source", "kind", KINDS),
            state_operations=[
                migrations.AlterField(
                    model_name="source",
                    name="kind",
                    field=models.CharField(
                        max_length=20,
                        choices=[
                            ("law", "Law"),
                            ("regulation", "Regulation"),
                            ("circular", "Circular"),
                            ("caselaw", "Case law"),
                            ("tool", "Tool"),
                        ],
                    ),
                ),
                migrations.RemoveConstraint(model_name="source", name="kb_source_kind_check"),
                migrations.AddConstraint(
                    model_name="source",
                    constraint=models.CheckConstraint(condition=models.Q(kind__in=KINDS), name="kb_source_kind_check"),
                ),
            ],
        ),
    ]
