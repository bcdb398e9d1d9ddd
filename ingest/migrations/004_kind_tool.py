"""004 kind_tool: `tool` joins the kinds of kb_ingest_job."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql, values_constraint

KINDS = ["law", "regulation", "circular", "caselaw", "tool"]


class Migration(migrations.Migration):
    dependencies = [("ingest", "003_caselaw")]
    operations = [
        sql(
            values_constraint("kb_ingest_job", "kind", KINDS),
            state_operations=[
                migrations.AlterField(
                    model_name="job",
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
                migrations.RemoveConstraint(model_name="job", name="kb_ingest_job_kind_check"),
                migrations.AddConstraint(
                    model_name="job",
                    constraint=models.CheckConstraint(
                        condition=models.Q(kind__in=KINDS), name="kb_ingest_job_kind_check"
                    ),
                ),
            ],
        ),
    ]
