"""003 caselaw: `caselaw` joins the kinds of kb_ingest_job."""

from django.db import migrations, models

from kb_project.database.migration_sql import add_values, sql

KINDS = ["law", "regulation", "circular", "caselaw"]


class Migration(migrations.Migration):
    dependencies = [("ingest", "002_ingest_jobs")]
    operations = [
        sql(
            add_values("kb_ingest_job", "kind", KINDS),
            state_operations=[
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
